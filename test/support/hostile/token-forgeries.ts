import { createHmac, createPublicKey, type KeyObject } from "node:crypto";

/** An invalid token, with the reason. */
export interface Forgery {
  readonly what: string;
  readonly token: string;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ALGORITHMS =
  "none None NONE nOnE HS384 HS512 HS1 HS256a hs256 RS256 RS384 RS512 PS256 ES256 ES256K EdDSA dir A128KW";

const base64url = (text: string | Buffer): string => Buffer.from(text).toString("base64url");
const hmac = (text: string, secret: string | Buffer, hash = "sha256"): string =>
  createHmac(hash, secret).update(text).digest("base64url");

/** Every other spelling of a valid token: only the standard's spelling is valid. */
export function spellingsOf(token: string): Forgery[] {
  const parts = token.split(".");
  const within = parts.flatMap((part, at) =>
    [...MARKS, ...lastCharacters(part)].flatMap(([what, change]) => {
      const changed = parts.map((other, index) => (index === at ? change(other) : other));
      return [{ what: `part ${at}: ${what}`, token: changed.join(".") }];
    }),
  );
  const [header = "", payload = "", signature = ""] = parts;
  const asJson = { payload, protected: header, signature };
  const whole = [
    ["a fourth part", `${token}.`],
    ["a fourth part with text", `${token}.${payload}`],
    ["an empty first part", `.${token}`],
    ["two parts", `${header}.${payload}`],
    ["one part", header],
    ["no signature", `${header}.${payload}.`],
    ["parts in another order", `${payload}.${header}.${signature}`],
    ["the signature as payload", `${header}.${signature}.${signature}`],
    ["five parts, as if encrypted", `${header}.${payload}.${signature}.${payload}.${signature}`],
    ["JSON serialisation", JSON.stringify(asJson)],
    ["JSON serialisation, general", JSON.stringify({ payload, signatures: [asJson] })],
    ["quotes", JSON.stringify(token)],
    ["commas", token.replaceAll(".", ",")],
    ["itself twice", `${token},${token}`],
    ["another letter case", token.toLowerCase()],
  ].map(([what = "", changed = ""]) => ({ what, token: changed }));
  // A space before the token belongs to the header.
  const spellings = [...within, ...whole, ...flipped(token)];
  return spellings.filter((one) => one.token.trimStart() !== token);
}

type Change = readonly [what: string, change: (part: string) => string];
const MARKS: readonly Change[] = [
  ["padding", (part) => `${part}=`],
  ["more padding", (part) => `${part}==`],
  ["padding in front", (part) => `=${part}`],
  ["a space behind", (part) => `${part} `],
  ["a space in front", (part) => ` ${part}`],
  ["a line break", (part) => `${part.slice(0, 4)}\n${part.slice(4)}`],
  ["a tab", (part) => `${part.slice(0, 4)}\t${part.slice(4)}`],
  ["a NUL", (part) => `${part}\0`],
  ["a character of plain base64", (part) => `${part}+`],
  ["a slash", (part) => `${part}/`],
  ["percent encoding", (part) => part.replace(/^./, (one) => `%${one.charCodeAt(0).toString(16)}`)],
  ["one character less", (part) => part.slice(0, -1)],
  ["one character more", (part) => `${part}A`],
  ["four characters more", (part) => `${part}AAAA`],
  ["nothing left", () => ""],
  ["a letter that only looks like it", (part) => `${part.slice(0, -1)}\u0410`],
];

/** The last character of a part may have unused bits: all other spellings of the same bytes. */
function lastCharacters(part: string): Change[] {
  const bytes = Buffer.from(part, "base64url");
  return ALPHABET.split("")
    .map((last) => part.slice(0, -1) + last)
    .filter((other) => other !== part && Buffer.from(other, "base64url").equals(bytes))
    .map((other) => ["another last character for the same bytes", () => other]);
}

/** The signature with one bit flipped, at each byte. */
function flipped(token: string): Forgery[] {
  const at = token.lastIndexOf(".") + 1;
  const bytes = Buffer.from(token.slice(at), "base64url");
  return Array.from({ length: Math.min(bytes.length, 64) }, (_, index) => {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    return {
      what: `byte ${index} of the signature`,
      token: token.slice(0, at) + base64url(changed),
    };
  });
}

/** Tokens with another algorithm, signed with the secret where possible, or unsigned. */
export function otherAlgorithms(claims: object, secret: string, own: string): Forgery[] {
  return ALGORITHMS.split(" ")
    .filter((algorithm) => algorithm !== own)
    .flatMap((alg) => {
      const text = `${base64url(JSON.stringify({ alg, typ: "JWT" }))}.${base64url(JSON.stringify(claims))}`;
      const hash = { HS384: "sha384", HS512: "sha512", HS1: "sha1" }[alg] ?? "sha256";
      return ["", hmac(text, secret, hash), hmac(text, "", hash), base64url("none")].map(
        (signature, at) => ({ what: `alg ${alg}, signature ${at}`, token: `${text}.${signature}` }),
      );
    });
}

/** Tokens of HS256 with the public key as secret, in each of its formats. */
export function keyConfusions(claims: object, publicKey: KeyObject, kid: string): Forgery[] {
  const jwk = publicKey.export({ format: "jwk" });
  const n = String(jwk["n"]);
  const pem = String(publicKey.export({ format: "pem", type: "spki" }));
  const pkcs1 = String(publicKey.export({ format: "pem", type: "pkcs1" }));
  const secrets: readonly (string | Buffer)[] = [
    pem,
    pem.trim(),
    pem.replaceAll("\n", "\r\n"),
    pem.replaceAll("\n", ""),
    pkcs1,
    pkcs1.trim(),
    publicKey.export({ format: "der", type: "spki" }),
    publicKey.export({ format: "der", type: "pkcs1" }),
    n,
    Buffer.from(n, "base64url"),
    JSON.stringify(jwk),
    JSON.stringify({ keys: [jwk] }),
    kid,
    "",
  ];
  return ["HS256", "RS256"].flatMap((alg) =>
    secrets.map((secret, at) => {
      const text = `${base64url(JSON.stringify({ alg, kid }))}.${base64url(JSON.stringify(claims))}`;
      return {
        what: `alg ${alg}, public key as secret ${at}`,
        token: `${text}.${hmac(text, secret)}`,
      };
    }),
  );
}

/** Validly signed tokens with invalid headers or claims. */
export function oddContents(claims: object, secret: string): Forgery[] {
  const good = JSON.stringify(claims);
  const of = (header: string | Buffer, payload: string | Buffer = good): string => {
    const text = `${base64url(header)}.${base64url(payload)}`;
    return `${text}.${hmac(text, secret)}`;
  };
  const headers: readonly (string | Buffer)[] = [
    "",
    "null",
    "[]",
    '"HS256"',
    "{}",
    '{"alg":null}',
    '{"alg":""}',
    '{"alg":"HS256","alg":"HS256"}',
    '{"alg":"HS256","crit":["x"],"x":1}',
    '{"alg":["HS256"]}',
    '{"alg":{"name":"HS256"}}',
    '{"Alg":"HS256"}',
    '{"alg":"HS256","alg":"none"}',
    '{"alg":"none","alg":"HS256"}',
    '{"alg":"HS256","\\u0061lg":"none"}',
    '{"alg":"HS256","crit":["exp"]}',
    '{"alg":"HS256","crit":[]}',
    '{"alg":"HS256","crit":null}',
    '{"alg":"HS256","b64":false,"crit":["b64"]}',
    '{"alg":"HS256","kid":1}',
    '{"alg":"HS256","kid":["a"]}',
    '{"alg":"HS256","kid":{}}',
    '{"alg":"HS256"} x',
    '{"alg":"HS256",}',
    "{'alg':'HS256'}",
    '\ufeff{"alg":"HS256"}',
    Buffer.from([0x7b, 0xff, 0x7d]),
    `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  ];
  const payloads: readonly (string | Buffer)[] = [
    "",
    "null",
    "[]",
    "1",
    '"ann"',
    "ann",
    "{",
    `[${good}]`,
    `${good}${good}`,
    good.replace("}", ',"sub":"ann"}'),
    good.replace("}", ',"x":{"a":1,"a":2}}'),
    good.replace("}", ',"x":[{"a":1,"a" : 2}]}'),
    ...[100, 100_000].map((depth) =>
      good.replace("}", `,"x":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    ),
    `\ufeff${good}`,
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ];
  return [
    ...headers.map((header, at) => ({ what: `header ${at}`, token: of(header) })),
    ...payloads.map((payload, at) => ({
      what: `claims ${at}`,
      token: of('{"alg":"HS256"}', payload),
    })),
  ];
}

/** The public half of a key. */
export function publicHalf(privateKey: KeyObject): KeyObject {
  return createPublicKey(privateKey);
}
