// The protocol's test vector: one whole game with fixed keys, every byte of it given. The texts
// are as they were published; test_browser_verifier.py compares them with those of Python.

export const KEYS = {
  R: '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
  W: '8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394',
  S: 'ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1',
  inspector: 'ca93ac1705187071d67b83c7ff0efe8108e8ec4530575d7726879333dbdabe7c',
  supervisor: '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1',
};

/** Each record: its canonical text, its digest and its signatures. */
export const RECORDS = {
  genesis: {
    digest: '4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2',
    body:
      '{"first_game":1,"inspectors":["ca93ac1705187071d67b83c7ff0efe8108e8ec4530575d7726879333dbd' +
      'abe7c"],"jurisdiction":"US-NJ","keys":{"R":"8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d9412' +
      '1bf3748801b40f6f5c","S":"ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1"' +
      ',"W":"8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394"},"location":"main"' +
      ',"mode":"test","prev":"0000000000000000000000000000000000000000000000000000000000000000","' +
      'site":"example-casino","supervisors":["6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4f' +
      'bfccd80505bf1"],"time_ms":1794794400000,"type":"keno-draw/1/genesis"}',
    sigs: {
      R:
        '0d83dff4880d9bc4fb9699524349192d2c25120a2344c6126247494aeb63abb76b82844a536eca4910f19804' +
        'ea85fbd7f8f2428006680f631cf7e4d374b0b30c',
      W:
        'a8e62fbee57ba282f61b8e2d29212a2ca5b2d568d8494f3f8959f0caba736a8c4f4c4ee160cfc16f4bafae30' +
        'd8a7e0a54e1396dd053adb04dd5bd19be12cee09',
      S:
        'f4f7d320b6524cf73408e89699122d3afa9881a025c7f5fadcb40efcc1a731c1363e81d3b80f666edd3653d7' +
        '33addbfad6274fccc45c536565195fbb6448e80d',
      inspector:
        'c7ae43474cd54f92179e901d17cf94360ad315ba99dcdc2cb01263efcda247970f2a3e67de393f0155cb691b' +
        '88dc75aa054748c42f8fdac82fce8fc02be78f03',
      supervisor:
        'b0b0901279ae61ebb5b8441a84f35275eba53b89c4911b44196c7b2cd82956534af351eff179568964151f6f' +
        'f2949e74b1a306a00b29832e10e91d8e13c1a301',
    },
  },
  unlock: {
    digest: '0f2303f594212f0978153c75c2903281367f889e10c4ea12c7bec9cb1a0899da',
    body:
      '{"boot":1,"code":"abababababababababababababababababababababababababababababababab","heads' +
      '":{"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2":"4863551a6a1df262dbb' +
      'cf3b97a53fa539d89d1c174e54954c2897f07df14e4b2"},"inspector":"ca93ac1705187071d67b83c7ff0ef' +
      'e8108e8ec4530575d7726879333dbdabe7c","key":"8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d9412' +
      '1bf3748801b40f6f5c","supervisor":"6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd' +
      '80505bf1","time_ms":1794794460000,"type":"keno-draw/1/unlock"}',
    sigs: {
      R:
        '66daf4513dd7eb01f44bdefbc05318bc185eb7d4a7850a689fc8409211b664de5bf2ae8010ca00e945c149a8' +
        '9029504b57b93fd1c208a2b6858382cc03523002',
      inspector:
        'b54de42c790ff8d70668eba449da525b7ad4a3ee5e0cde6feada814238f455be6f978baaa039244f3c1dc83a' +
        '0a5e0c5e808a6220091a98eaeeb3ecea693e4607',
      supervisor:
        'bb905481089941cd8843aa9d53569236a0308d12f085d2bcba46753e354a8b7fc1b2a61252fa17a8ca62042e' +
        'bb775c6cf8b77287a1ee74dcdf05f752d7219f0a',
    },
  },
  'commit-r': {
    digest: '2533d1221a94d8112d946613120d310e3421c2111b2c91ad30290995dcf1f448',
    body:
      '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","game":1,"hash' +
      '":"e3c2830d30b302c3d52c63a386e3296788f513a10ee7233dcca6fa28a09610a8","sealed":"08080808080' +
      '8080808080808a8dfc3a7a0c97edebde73c702b7adaba07fcf75713315f507b4a003640bfb69254a69e404e41a' +
      '7e42305de55081b0245","type":"keno-draw/1/commit-r","unlock":"0f2303f594212f0978153c75c2903' +
      '281367f889e10c4ea12c7bec9cb1a0899da"}',
    sigs: {
      R:
        'b014133eaf227fa0b20855b1259e9111281b701e130f2d1566f703ca131500c241657ddc01b875990e9e8a40' +
        '2962baa095443c50647c6531ab4a0dcd22c0d702',
    },
  },
  'commit-w': {
    digest: 'c43c4ddf040a6eb054ad9af02994a86d6b3409e745eddd49f35ba53736fb79b1',
    body:
      '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","game":1,"hash' +
      '":"bc111973057458d3fa28b1e2bc7e121284ccefc0a1c182201a01c6a0f27cea95","peer":"2533d1221a94d' +
      '8112d946613120d310e3421c2111b2c91ad30290995dcf1f448","time_ms":1794794520000,"type":"keno-' +
      'draw/1/commit-w"}',
    sigs: {
      W:
        '6781da5ee39d5d97c3cdb767d01e7df050536ef989c120375623debbe89bf3c728005c4749e750ddc697b74a' +
        'e367ce8c813780bfc7f93b955964a9ea0fafb000',
    },
  },
  close: {
    digest: 'c0946741c5bd2b615869dd7c4faf99e3f47207ab01f4fcddbf2ab9507f2be301',
    body:
      '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","commit":"c43c' +
      '4ddf040a6eb054ad9af02994a86d6b3409e745eddd49f35ba53736fb79b1","game":1,"handle_cents":400,' +
      '"last_ticket":3,"leaves":3,"prev":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f0' +
      '7df14e4b2","root":"d78759155e33b344b028846e099c231887b2827172285a79cfe1fbf276a1cc25","salt' +
      '":"404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f","tickets":2,"time_ms"' +
      ':1794794820000,"type":"keno-draw/1/close"}',
    sigs: {
      S:
        'f8e6c056f2c6652f451d9537f3a7be0b7a2896ed7330a3a29236eaffa481f524a7a3aa6b43fde47d8a8ae8d6' +
        'c098484285572069284aa4b8a12fae4e0a997800',
    },
  },
  countersign: {
    digest: '1691383fe3f95672fe28ab6f14f79a050bd5f4472ca61159fb49e0c72d5acf79',
    body:
      '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","close":"c0946' +
      '741c5bd2b615869dd7c4faf99e3f47207ab01f4fcddbf2ab9507f2be301","game":1,"secret":"2021222324' +
      '25262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f","time_ms":1794794820120,"type":"ke' +
      'no-draw/1/countersign"}',
    sigs: {
      W:
        '4ed634674002ca915b86fd73ea3a87483cdbfe85728e8619132d289524974ea04d36d27c9628b1c52c438082' +
        '40e3e3d06cd212e5448b73bf3d70c399331fc105',
    },
  },
  result: {
    digest: '62a544ad4d18d500a17a81bf8732d5a407dabaa7ac7a988dc5e3d070a1d581b3',
    body:
      '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","countersign":' +
      '"1691383fe3f95672fe28ab6f14f79a050bd5f4472ca61159fb49e0c72d5acf79","game":1,"numbers":[1,5' +
      '0,62,37,22,65,4,60,12,49,17,59,36,54,43,2,58,38,28,53],"secret":"000102030405060708090a0b0' +
      'c0d0e0f101112131415161718191a1b1c1d1e1f","type":"keno-draw/1/result"}',
    sigs: {
      R:
        'ad66d9936daa6343e907cdf3826c769e019ed84f4aaf87ced2ca9432a1a3327b09fddde7f3b3886deb7c9bd3' +
        '64a6f887409e8a52055672ecefc9598c703c970e',
    },
  },
  attest: {
    digest: '796e0c0101f6379bf7fb7ff136fba1c2da06a0831c12977fe6c335dcf602893a',
    body:
      '{"chain":"4863551a6a1df262dbbcf3b97a53fa539d89d1c174e54954c2897f07df14e4b2","game":1,"resu' +
      'lt":"62a544ad4d18d500a17a81bf8732d5a407dabaa7ac7a988dc5e3d070a1d581b3","type":"keno-draw/1' +
      '/attest"}',
    sigs: {
      W:
        'cc0e9e9d36cdcbc243cd6baf2a9afbf16933302d382eed2227c3d279a17455b6d938d59c1b1c720133d79de0' +
        'bef5942bcaa82cca0cb7e706fea6b61bf7cbf100',
    },
  },
};

export const LEAVES = [
  '{"card":"2026-1","first":1,"last":1,"location":"main","price_cents":100,"request":{"games":1' +
    ',"groups":[[3,11,19,27,35,43,51,59]],"kings":[],"lines":[{"rate":"regular","spots":8,"wager_' +
    'cents":100,"ways":1}]},"seal":"467337449b885c47fcd5109b5c82fde3833f32c91d93949f888d3eec9332b' +
    'e22","site":"example-casino","sold_ms":1794794530000,"state":"live","station":"7","ticket":1' +
    ',"type":"keno-draw/1/ticket","writer":"W12"}',
  '{"card":"2026-1","first":1,"last":1,"location":"main","price_cents":100,"request":{"games":1' +
    ',"groups":[[1,2,3,4,5,6,7,8]],"kings":[],"lines":[{"rate":"regular","spots":8,"wager_cents":' +
    '100,"ways":1}]},"seal":"98530b65e68689cd06f018d94cbcae278aab877b4319ef9b9030b481af98e757","s' +
    'ite":"example-casino","sold_ms":1794794540000,"state":"void","station":"7","ticket":2,"type"' +
    ':"keno-draw/1/ticket","writer":"W12"}',
  '{"card":"2026-1","first":1,"last":5,"location":"main","price_cents":1500,"request":{"games":' +
    '5,"groups":[[1,2,3,4],[5,6,7,8],[9,10,11,12]],"kings":[],"lines":[{"rate":"regular","spots":' +
    '8,"wager_cents":100,"ways":3}]},"seal":"a1fa60a86f0bca14c245890466c1aa7e3e55e82478f3bc14ad3f' +
    'c38c3a4a5668","site":"example-casino","sold_ms":1794794550000,"state":"live","station":"7","' +
    'ticket":3,"type":"keno-draw/1/ticket","writer":"W12"}',
];
export const LEAF_HASHES = [
  '0e28138920a27e581f9bb599be048e84e97f3014782a42e1a28bcd4374b63a12',
  'adff971fa62877de544b3fbbffb968a4862e648027d97084463dcbf669c40a94',
  '71a5a274021b49040fcd585bf21af8de76b1f90e900872ed2b785cf0c3af893b',
];
/** The way of the third leaf to the root. */
export const THIRD_PATH = ['daa4201155217d39d226b4938ab2a153a279e42610747f564eb8f54bb7d7786b'];
export const CODES = [
  '0123456789ABCDEFGHJKMNPQ',
  '1123456789ABCDEFGHJKMNPQ',
  '2123456789ABCDEFGHJKMNPQ',
];

/** What is computed on the way from the secrets to the numbers, in hex. */
export const DERIVED = {
  r: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  w: '202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f',
  info:
    '7b22636861696e223a22343836333535316136613164663236326462626366336239376135336661353339643839' +
    '64316331373465353439353463323839376630376466313465346232222c2267616d65223a312c226a7572697364' +
    '696374696f6e223a2255532d4e4a222c226c6f636174696f6e223a226d61696e222c2273697465223a226578616d' +
    '706c652d636173696e6f222c2274797065223a226b656e6f2d647261772f312f64726177227d',
  prk:
    '51f2ff109bc7f544181c44691e4b91bf025f11371111c181082720c09926309151d45e1e1ed5d3a57a0ca324438f' +
    '124b04fc23d92d53709bf2b112ef9d345ded',
  okm:
    'c35412cb8a508a018937a8fef014861d0bcb69eeed7436a9df17a579b4954cbece812fbf29ed57d673de5537966e' +
    'c1fae78a0eab697a9cb58496e10f245311840e0c9b1eb9aff58a2b1d4e4b9f402ecaaab780e160669ccde5ff914e' +
    '2f0a6133',
  instantiated: [
    'a98a7b2c08b15adabbd49f462430404133584a5696b2d965c06f3072b3ba91ee14a6623477eddd296d48a90434' +
      'e314411a72a060d47c4497b32820519e9ea10e',
    '0fdbbf6df23e904a040b3585febd01c71e573bbfcd890824e43fa5965f10c16eb84c5b25b48832fc774b46589a' +
      '53925c5ca754ed3912eb19d231976df2b77309',
  ],
  generated:
    '00cefbd7bb5de9d1b2c64b6e922fef5bca285ef0cd6329140921136e2b54531fbbd6388a6147264192499df0cc81' +
    '4c41cffd8a9ad1fd0addab4a57cf378b3b0c',
  after: [
    '92458754969f6ed48d66b102e9242eb413177a1a0fd313bc0c8e26cc8fba82df7b0ad95b7d478c4cfc3182ceef' +
      'dc56fb17f42089ad479c5610d91dab8799ff76',
    '39a2b017e448f128a86a843759486ca8483f647d54fc10a823fd9b4fed6e018d70803b1c59e30d18034960a0be' +
      '55c699e4123f31d429e5f90429e551a4502278',
  ],
  numbersHex: '01323e251641043c0c31113b24362b023a261c35',
};
export const NUMBERS = [
  1, 50, 62, 37, 22, 65, 4, 60, 12, 49, 17, 59, 36, 54, 43, 2, 58, 38, 28, 53,
];

/** The vector as a chain file: genesis, unlock, game; each line with its line feed. */
export function vectorLines() {
  const message = (name) => {
    const { body, sigs } = RECORDS[name];
    const signed = Object.entries(sigs).map(([who, each]) => `"${KEYS[who]}":"${each}"`);
    return `{"body":${body},"sigs":{${signed.sort().join(',')}}}`;
  };
  const names = ['attest', 'close', 'commit-r', 'commit-w', 'countersign', 'result'];
  const game = names.map((name) => `"${name.replace('-', '_')}":${message(name)}`);
  return [`${message('genesis')}\n`, `${message('unlock')}\n`, `{${game.join(',')}}\n`];
}

/** The holder's proof of the third ticket, some of it changed. */
export function vectorTicket(changed = {}) {
  const proof = {
    code: CODES[2],
    game: 1,
    index: 2,
    leaf: JSON.parse(LEAVES[2]),
    path: THIRD_PATH,
    ...changed,
  };
  return `${JSON.stringify(proof)}\n`;
}
