"""The protocol's published test vector: one whole game with fixed keys, byte by byte.

The texts are copied from the publication, so that tests compare with them.
"""

import json
from typing import Any

SEEDS = {
    "R": b"\x01" * 32,
    "W": b"\x02" * 32,
    "S": b"\x03" * 32,
    "inspector": b"\x04" * 32,
    "supervisor": b"\x05" * 32,
}
SHARE_A = b"\x06" * 32
SHARE_B = b"\x07" * 32
SEAL_NONCE = b"\x08" * 12
R_SECRET = bytes(range(32))
W_SECRET = bytes(range(32, 64))

KEYS = {
    "R": "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c",
    "W": "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394",
    "S": "ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1",
    "inspector": "ca93ac1705187071d67b83c7ff0efe8108e8ec4530575d7726879333dbdabe7c",
    "supervisor": "6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1",
}

TEXTS = {
    "genesis": (
        '{"first_game":1,"inspectors":["ca93ac1705187071d67b83c7ff0efe8108e8ec4530575d7726879333db'
        'dabe7c"],"jurisdiction":"US-NJ","keys":{"R":"8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94'
        '121bf3748801b40f6f5c","S":"ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737'
        'd1","W":"8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394"},"location":"m'
        'ain","mode":"test","prev":"00000000000000000000000000000000000000000000000000000000000000'
        '00","site":"example-casino","supervisors":["6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca'
        '6f2e4fbfccd80505bf1"],"time_ms":1794794400000,"type":"keno-draw/1/genesis"}'
    ),
    "unlock": (
        '{"boot":1,"code":"abababababababababababababababababababababababababababababababab","head'
        's":{"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2":"4863551a6a1df262d'
        'bbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2"},"inspector":"ca93ac1705187071d67b83c7ff'
        '0efe8108e8ec4530575d7726879333dbdabe7c","key":"8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d'
        '94121bf3748801b40f6f5c","supervisor":"6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4f'
        'bfccd80505bf1","time_ms":1794794460000,"type":"keno-draw/1/unlock"}'
    ),
    "commit-r": (
        '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","game":1,"has'
        'h":"e3c2830d30b302c3d52c63a386e3296788f513a10ee7233dcca6fa28a09610a8","sealed":"080808080'
        "808080808080808a8dfc3a7a0c97edebde73c702b7adaba07fcf75713315f507b4a003640bfb69254a69e404e"
        '41a7e42305de55081b0245","type":"keno-draw/1/commit-r","unlock":"0f2303f594212f0978153c75c'
        '2903281367f889e10c4ea12c7bec9cb1a0899da"}'
    ),
    "commit-w": (
        '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","game":1,"has'
        'h":"bc111973057458d3fa28b1e2bc7e121284ccefc0a1c182201a01c6a0f27cea95","peer":"2533d1221a9'
        '4d8112d946613120d310e3421c2111b2c91ad30290995dcf1f448","time_ms":1794794520000,"type":"ke'
        'no-draw/1/commit-w"}'
    ),
    "close": (
        '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","commit":"c43'
        'c4ddf040a6eb054ad9af02994a86d6b3409e745eddd49f35ba53736fb79b1","game":1,"handle_cents":40'
        '0,"last_ticket":3,"leaves":3,"prev":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c289'
        '7f07df14e4b2","root":"d78759155e33b344b028846e099c231887b2827172285a79cfe1fbf276a1cc25","'
        'salt":"404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f","tickets":2,"tim'
        'e_ms":1794794820000,"type":"keno-draw/1/close"}'
    ),
    "countersign": (
        '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","close":"c094'
        '6741c5bd2b615869dd7c4faf99e3f47207ab01f4fcddbf2ab9507f2be301","game":1,"secret":"20212223'
        '2425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f","time_ms":1794794820120,"type":'
        '"keno-draw/1/countersign"}'
    ),
    "result": (
        '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","countersign"'
        ':"1691383fe3f95672fe28ab6f14f79a050bd5f4472ca61159fb49e0c72d5acf79","game":1,"numbers":[1'
        ',50,62,37,22,65,4,60,12,49,17,59,36,54,43,2,58,38,28,53],"secret":"000102030405060708090a'
        '0b0c0d0e0f101112131415161718191a1b1c1d1e1f","type":"keno-draw/1/result"}'
    ),
    "attest": (
        '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","game":1,"res'
        'ult":"62a544ad4d18d500a17a81bf8732d5a407dabaa7ac7a988dc5e3d070a1d581b3","type":"keno-draw'
        '/1/attest"}'
    ),
}
DIGESTS = {
    "genesis": "4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2",
    "unlock": "0f2303f594212f0978153c75c2903281367f889e10c4ea12c7bec9cb1a0899da",
    "commit-r": "2533d1221a94d8112d946613120d310e3421c2111b2c91ad30290995dcf1f448",
    "commit-w": "c43c4ddf040a6eb054ad9af02994a86d6b3409e745eddd49f35ba53736fb79b1",
    "close": "c0946741c5bd2b615869dd7c4faf99e3f47207ab01f4fcddbf2ab9507f2be301",
    "countersign": "1691383fe3f95672fe28ab6f14f79a050bd5f4472ca61159fb49e0c72d5acf79",
    "result": "62a544ad4d18d500a17a81bf8732d5a407dabaa7ac7a988dc5e3d070a1d581b3",
    "attest": "796e0c0101f6379bf7fb7ff136fba1c2da06a0831c12977fe6c335dcf602893a",
}
SIGNATURES = {
    "genesis": {
        "R": "0d83dff4880d9bc4fb9699524349192d2c25120a2344c6126247494aeb63abb7"
        "6b82844a536eca4910f19804ea85fbd7f8f2428006680f631cf7e4d374b0b30c",
        "W": "a8e62fbee57ba282f61b8e2d29212a2ca5b2d568d8494f3f8959f0caba736a8c"
        "4f4c4ee160cfc16f4bafae30d8a7e0a54e1396dd053adb04dd5bd19be12cee09",
        "S": "f4f7d320b6524cf73408e89699122d3afa9881a025c7f5fadcb40efcc1a731c1"
        "363e81d3b80f666edd3653d733addbfad6274fccc45c536565195fbb6448e80d",
        "inspector": "c7ae43474cd54f92179e901d17cf94360ad315ba99dcdc2cb01263efcda24797"
        "0f2a3e67de393f0155cb691b88dc75aa054748c42f8fdac82fce8fc02be78f03",
        "supervisor": "b0b0901279ae61ebb5b8441a84f35275eba53b89c4911b44196c7b2cd8295653"
        "4af351eff179568964151f6ff2949e74b1a306a00b29832e10e91d8e13c1a301",
    },
    "unlock": {
        "R": "66daf4513dd7eb01f44bdefbc05318bc185eb7d4a7850a689fc8409211b664de"
        "5bf2ae8010ca00e945c149a89029504b57b93fd1c208a2b6858382cc03523002",
        "inspector": "b54de42c790ff8d70668eba449da525b7ad4a3ee5e0cde6feada814238f455be"
        "6f978baaa039244f3c1dc83a0a5e0c5e808a6220091a98eaeeb3ecea693e4607",
        "supervisor": "bb905481089941cd8843aa9d53569236a0308d12f085d2bcba46753e354a8b7f"
        "c1b2a61252fa17a8ca62042ebb775c6cf8b77287a1ee74dcdf05f752d7219f0a",
    },
    "commit-r": {
        "R": "b014133eaf227fa0b20855b1259e9111281b701e130f2d1566f703ca131500c2"
        "41657ddc01b875990e9e8a402962baa095443c50647c6531ab4a0dcd22c0d702",
    },
    "commit-w": {
        "W": "6781da5ee39d5d97c3cdb767d01e7df050536ef989c120375623debbe89bf3c7"
        "28005c4749e750ddc697b74ae367ce8c813780bfc7f93b955964a9ea0fafb000",
    },
    "close": {
        "S": "f8e6c056f2c6652f451d9537f3a7be0b7a2896ed7330a3a29236eaffa481f524"
        "a7a3aa6b43fde47d8a8ae8d6c098484285572069284aa4b8a12fae4e0a997800",
    },
    "countersign": {
        "W": "4ed634674002ca915b86fd73ea3a87483cdbfe85728e8619132d289524974ea0"
        "4d36d27c9628b1c52c43808240e3e3d06cd212e5448b73bf3d70c399331fc105",
    },
    "result": {
        "R": "ad66d9936daa6343e907cdf3826c769e019ed84f4aaf87ced2ca9432a1a3327b"
        "09fddde7f3b3886deb7c9bd364a6f887409e8a52055672ecefc9598c703c970e",
    },
    "attest": {
        "W": "cc0e9e9d36cdcbc243cd6baf2a9afbf16933302d382eed2227c3d279a17455b6"
        "d938d59c1b1c720133d79de0bef5942bcaa82cca0cb7e706fea6b61bf7cbf100",
    },
}
BODIES: dict[str, Any] = {name: json.loads(text) for name, text in TEXTS.items()}
MESSAGES: dict[str, Any] = {
    name: {
        "body": body,
        "sigs": {KEYS[signer]: sig for signer, sig in SIGNATURES[name].items()},
    }
    for name, body in BODIES.items()
}
CLOSE = BODIES["close"]
GAME_RECORDS = ("commit-r", "commit-w", "close", "countersign", "result", "attest")


def game_line() -> dict[str, Any]:
    """Return the vector's game as decoded from one line of a chain file."""
    return {name.replace("-", "_"): MESSAGES[name] for name in GAME_RECORDS}


def chain_lines() -> list[bytes]:
    """Return the vector's genesis, unlock and game as the lines of a chain file."""
    whole = [MESSAGES["genesis"], MESSAGES["unlock"], game_line()]
    texts = [json.dumps(each, sort_keys=True, separators=(",", ":")) for each in whole]
    return [f"{text}\n".encode() for text in texts]


LEAVES = [
    (
        b'{"card":"2026-1","first":1,"last":1,"location":"main","price_cents":100,"request":{"games'
        b'":1,"groups":[[3,11,19,27,35,43,51,59]],"kings":[],"lines":[{"rate":"regular","spots":8,"'
        b'wager_cents":100,"ways":1}]},"seal":"467337449b885c47fcd5109b5c82fde3833f32c91d93949f888d'
        b'3eec9332be22","site":"example-casino","sold_ms":1794794530000,"state":"live","station":"7'
        b'","ticket":1,"type":"keno-draw/1/ticket","writer":"W12"}'
    ),
    (
        b'{"card":"2026-1","first":1,"last":1,"location":"main","price_cents":100,"request":{"games'
        b'":1,"groups":[[1,2,3,4,5,6,7,8]],"kings":[],"lines":[{"rate":"regular","spots":8,"wager_c'
        b'ents":100,"ways":1}]},"seal":"98530b65e68689cd06f018d94cbcae278aab877b4319ef9b9030b481af9'
        b'8e757","site":"example-casino","sold_ms":1794794540000,"state":"void","station":"7","tick'
        b'et":2,"type":"keno-draw/1/ticket","writer":"W12"}'
    ),
    (
        b'{"card":"2026-1","first":1,"last":5,"location":"main","price_cents":1500,"request":{"game'
        b's":5,"groups":[[1,2,3,4],[5,6,7,8],[9,10,11,12]],"kings":[],"lines":[{"rate":"regular","s'
        b'pots":8,"wager_cents":100,"ways":3}]},"seal":"a1fa60a86f0bca14c245890466c1aa7e3e55e82478f'
        b'3bc14ad3fc38c3a4a5668","site":"example-casino","sold_ms":1794794550000,"state":"live","st'
        b'ation":"7","ticket":3,"type":"keno-draw/1/ticket","writer":"W12"}'
    ),
]
LEAF_HASHES = [
    "0e28138920a27e581f9bb599be048e84e97f3014782a42e1a28bcd4374b63a12",
    "adff971fa62877de544b3fbbffb968a4862e648027d97084463dcbf669c40a94",
    "71a5a274021b49040fcd585bf21af8de76b1f90e900872ed2b785cf0c3af893b",
]
THIRD_PATH = ["daa4201155217d39d226b4938ab2a153a279e42610747f564eb8f54bb7d7786b"]
CODES = ["0123456789ABCDEFGHJKMNPQ", "1123456789ABCDEFGHJKMNPQ", "2123456789ABCDEFGHJKMNPQ"]

PRK = (
    "51f2ff109bc7f544181c44691e4b91bf025f11371111c181082720c09926309151d45e1e1ed5d3a57a0ca32443"
    "8f124b04fc23d92d53709bf2b112ef9d345ded"
)
OKM = (
    "c35412cb8a508a018937a8fef014861d0bcb69eeed7436a9df17a579b4954cbece812fbf29ed57d673de553796"
    "6ec1fae78a0eab697a9cb58496e10f245311840e0c9b1eb9aff58a2b1d4e4b9f402ecaaab780e160669ccde5ff"
    "914e2f0a6133"
)
KV_INSTANTIATED = (
    (
        "a98a7b2c08b15adabbd49f462430404133584a5696b2d965c06f3072b3ba91ee"
        "14a6623477eddd296d48a90434e314411a72a060d47c4497b32820519e9ea10e"
    ),
    (
        "0fdbbf6df23e904a040b3585febd01c71e573bbfcd890824e43fa5965f10c16e"
        "b84c5b25b48832fc774b46589a53925c5ca754ed3912eb19d231976df2b77309"
    ),
)
GENERATED = (
    "00cefbd7bb5de9d1b2c64b6e922fef5bca285ef0cd6329140921136e2b54531fbbd6388a6147264192499df0cc"
    "814c41cffd8a9ad1fd0addab4a57cf378b3b0c"
)
KV_GENERATED = (
    (
        "92458754969f6ed48d66b102e9242eb413177a1a0fd313bc0c8e26cc8fba82df"
        "7b0ad95b7d478c4cfc3182ceefdc56fb17f42089ad479c5610d91dab8799ff76"
    ),
    (
        "39a2b017e448f128a86a843759486ca8483f647d54fc10a823fd9b4fed6e018d"
        "70803b1c59e30d18034960a0be55c699e4123f31d429e5f90429e551a4502278"
    ),
)
DEK = "13de76d2c28732533e5eb6a0cf50fd62179a8968584b7d7757c1ef752ceb55fc"
NUMBERS = [1, 50, 62, 37, 22, 65, 4, 60, 12, 49, 17, 59, 36, 54, 43, 2, 58, 38, 28, 53]
