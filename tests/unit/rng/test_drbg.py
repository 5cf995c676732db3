"""HMAC_DRBG gives the answers that NIST published for SHA-512, and refuses misuse."""

from dataclasses import dataclass

import pytest

from rng import drbg
from rng.drbg import REQUEST_BYTES_MAX, REQUESTS_MAX, HmacDrbg, SelfTestFailed
from tests.rng_vector import GENERATED, KV_GENERATED, KV_INSTANTIATED, OKM, TEXTS


@dataclass(frozen=True)
class Case:
    """A case of CAVS 14.3: instantiate, perhaps reseed, generate twice; the second is compared."""

    entropy: str
    nonce: str
    answer: str
    personalization: str = ""
    reseed: str = ""
    reseed_additional: str = ""
    first_additional: str = ""
    second_additional: str = ""


CASES = [
    Case(
        entropy="35049f389a33c0ecb1293238fd951f8ffd517dfde06041d32945b3e26914ba15",
        nonce="f7328760be6168e6aa9fb54784989a11",
        answer=(
            "e76491b0260aacfded01ad39fbf1a66a88284caa5123368a2ad9330ee48335e3c9c9ba90e6cbc942"
            "9962d60c1a6661edcfaa31d972b8264b9d4562cf18494128a092c17a8da6f3113e8a7edfcd442708"
            "2bd390675e9662408144971717303d8dc352c9e8b95e7f35fa2ac9f549b292bc7c4bc7f01ee0a577"
            "859ef6e82d79ef23892d167c140d22aac32b64ccdfeee2730528a38763b24227f91ac3ffe47fb115"
            "38e435307e77481802b0f613f370ffb0dbeab774fe1efbb1a80d01154a9459e73ad361108bbc86b0"
            "914f095136cbe634555ce0bb263618dc5c367291ce0825518987154fe9ecb052b3f0a256fcc30cc1"
            "4572531c9628973639beda456f2bddf6"
        ),
    ),
    Case(
        entropy="e97a4631d0a08d549cde8af9a1aae058e3e9585575a726c76a27bc62bed18a4b",
        nonce="227221d5fe5a5db9810f9afe56a3ee78",
        personalization="94084b11d55e0f9c2ef577741753af66ad7a25b28524b50ea970105c3545e97d",
        first_additional="24c81d4773938371b906cf4801957ac22f87432b9c8a84bc5ac04ad5b1cc3f57",
        second_additional="c8c878451e2b76577c36393ca253888c1038885bbfdacd8539615a611e2ac00b",
        answer=(
            "761422dea283262998c0ffffefc77de2d395c818b9cf1ac2bcd1153235e0d8b63199c51e195135a7"
            "5f1f87b454484ecc560c532c7ba5923c9490a423c177453459d81efc38ce2939226043cb733062ea"
            "e303a009b48ee0cf3c7e40abe2b57a70a6062c669a9fbff20b4c94b4ecbc5f744a80d7be81343595"
            "81d441da921737b1329470b214f3e679fb7ad48baf046bac59a36b5770806cdef28cc4a8fd0e049b"
            "924c3c9216e00ba63c2ff771d66b7520dd33a85382a84b622717e594e447c919926a5b2e94d490ee"
            "626da9df587fed674067917963fd51d383e55730c17a124555e2e46e1395c9920d07dae4d67ffee5"
            "c759b6a326eec6d7b3ba6dee012e4807"
        ),
    ),
    Case(
        entropy="48c121b18733af15c27e1dd9ba66a9a81a5579cdba0f5b657ec53c2b9e90bbf6",
        nonce="bbb7c777428068fad9970891f879b1af",
        reseed="e0ffefdadb9ccf990504d568bdb4d862cbe17ccce6e22dfcab8b4804fd21421a",
        answer=(
            "05da6aac7d980da038f65f392841476d37fe70fbd3e369d1f80196e66e54b8fadb1d60e1a0f3d4dc"
            "173769d75fc3410549d7a843270a54a068b4fe767d7d9a59604510a875ad1e9731c8afd0fd50b825"
            "e2c50d062576175106a9981be37e02ec7c5cd0a69aa0ca65bddaee1b0de532e10cfa1f5bf6a026e4"
            "7379736a099d6750ab121dbe3622b841baf8bdcbe875c85ba4b586b8b5b57b0fecbec08c12ff2a94"
            "53c47c6e32a52103d972c62ab9affb8e728a31fcefbbccc556c0f0a35f4b10ace2d96b906e36cbb7"
            "2233201e536d3e13b045187b417d2449cad1edd192e061f12d22147b0a176ea8d9c4c35404395b65"
            "02ef333a813b6586037479e0fa3c6a23"
        ),
    ),
    Case(
        entropy="da740cbc36057a8e282ae717fe7dfbb245e9e5d49908a0119c5dbcf0a1f2d5ab",
        nonce="46561ff612217ba3ff91baa06d4b5440",
        personalization="fc227293523ecb5b1e28c87863626627d958acc558a672b148ce19e2abd2dde4",
        reseed="1d61d4d8a41c3254b92104fd555adae0569d1835bb52657ec7fbba0fe03579c5",
        reseed_additional="b9ed8e35ad018a375b61189c8d365b00507cb1b4510d21cac212356b5bbaa8b2",
        first_additional="b7998998eaf9e5d34e64ff7f03de765b31f407899d20535573e670c1b402c26a",
        second_additional="2089d49d63e0c4df58879d0cb1ba998e5b3d1a7786b785e7cf13ca5ea5e33cfd",
        answer=(
            "5b70f3e4da95264233efbab155b828d4e231b67cc92757feca407cc9615a660871cb07ad1a2e9a99"
            "412feda8ee34dc9c57fa08d3f8225b30d29887d20907d12330fffd14d1697ba0756d37491b0a8814"
            "106e46c8677d49d9157109c402ad0c247a2f50cd5d99e538c850b906937a05dbb8888d984bc77f6c"
            "a00b0e3bc97b16d6d25814a54aa12143afddd8b2263690565d545f4137e593bb3ca88a37b0aadf79"
            "726b95c61906257e6dc47acd5b6b7e4b534243b13c16ad5a0a1163c0099fce43f428cd27c3e6463c"
            "f5e9a9621f4b3d0b3d4654316f4707675df39278d5783823049477dcce8c57fdbd576711c91301e9"
            "bd6bb0d3e72dc46d480ed8f61fd63811"
        ),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=["plain", "inputs", "reseed", "reseed-inputs"])
def test_it_gives_the_published_answer(case: Case) -> None:
    unhex = bytes.fromhex
    generator = HmacDrbg(unhex(case.entropy), unhex(case.nonce), unhex(case.personalization))
    if case.reseed:
        generator.reseed(unhex(case.reseed), unhex(case.reseed_additional))
    size = len(case.answer) // 2
    generator.generate(size, unhex(case.first_additional))
    assert generator.generate(size, unhex(case.second_additional)).hex() == case.answer


def state_of(generator: HmacDrbg) -> tuple[str, str]:
    return generator._key.hex(), generator._value.hex()  # noqa: SLF001 # the vector gives them


def test_the_vectors_inner_states_and_output() -> None:
    okm = bytes.fromhex(OKM)
    draw = TEXTS["commit-r"]
    chain = draw[draw.index('"chain"') : draw.index(',"hash"')]
    info = f'{{{chain},"jurisdiction":"US-NJ","location":"main","site":"example-casino",'
    generator = HmacDrbg(okm[:64], okm[64:], f'{info}"type":"keno-draw/1/draw"}}'.encode())
    assert state_of(generator) == KV_INSTANTIATED
    assert generator.generate(64).hex() == GENERATED
    assert state_of(generator) == KV_GENERATED


@pytest.mark.parametrize(("entropy", "nonce"), [(31, 16), (32, 15), (0, 0)])
def test_too_little_entropy_is_no_generator(entropy: int, nonce: int) -> None:
    with pytest.raises(ValueError, match="entropy"):
        HmacDrbg(b"e" * entropy, b"n" * nonce)


def test_too_little_entropy_does_not_reseed() -> None:
    with pytest.raises(ValueError, match="entropy"):
        HmacDrbg(b"e" * 32, b"n" * 16).reseed(b"e" * 31)


@pytest.mark.parametrize("size", [0, -1, REQUEST_BYTES_MAX + 1])
def test_a_request_has_limits(size: int) -> None:
    with pytest.raises(ValueError, match="asked for"):
        HmacDrbg(b"e" * 32, b"n" * 16).generate(size)


def test_the_largest_request_is_answered() -> None:
    assert len(HmacDrbg(b"e" * 32, b"n" * 16).generate(REQUEST_BYTES_MAX)) == REQUEST_BYTES_MAX


def test_after_so_many_requests_it_must_be_reseeded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert REQUESTS_MAX == 2**48
    monkeypatch.setattr(drbg, "REQUESTS_MAX", 2)
    generator = HmacDrbg(b"e" * 32, b"n" * 16)
    generator.generate(1)
    generator.generate(1)
    with pytest.raises(ValueError, match="reseeded"):
        generator.generate(1)
    generator.reseed(b"f" * 32)
    assert generator.generate(1)


def test_the_self_test_passes_here() -> None:
    drbg.self_test()


def test_the_self_test_notices_a_generator_that_does_not_update(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(HmacDrbg, "_update", lambda *_: None)
    with pytest.raises(SelfTestFailed):
        drbg.self_test()
