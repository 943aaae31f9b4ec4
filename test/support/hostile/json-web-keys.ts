import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import jwt from "jsonwebtoken";

/** A key of an identity provider. */
export interface TestKey {
  kid: string;
  privateKey: KeyObject;
  jwk: Record<string, unknown>;
}
/** A server that publishes keys. */
export interface KeyServer {
  url: string;
  keys: Record<string, unknown>[];
  mood: "well" | "hang" | "html" | "endless" | "status500";
  headers: Record<string, string>;
  fetches: number;
  close(): Promise<void>;
}

/** A fresh RSA key. */
export function createKey(kid: string, bits = 2048): TestKey {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const jwk = {
    ...createPublicKey(privateKey).export({ format: "jwk" }),
    kid,
    use: "sig",
    alg: "RS256",
  };
  return { kid, privateKey, jwk };
}

/** A token signed with a key. */
export function signToken(key: TestKey, claims: object, header: object = {}): string {
  return jwt.sign(claims, key.privateKey, {
    algorithm: "RS256",
    header: { alg: "RS256", kid: key.kid, ...header },
    noTimestamp: true,
    allowInsecureKeySizes: true,
  });
}

/** Starts a server that publishes `keys`. */
export async function startKeyServer(keys: Record<string, unknown>[]): Promise<KeyServer> {
  const server = createServer((_req, res) => {
    handle.fetches += 1;
    if (handle.mood === "hang") return;
    if (handle.mood === "status500") return void res.writeHead(500).end("{}");
    if (handle.mood === "html") return void res.writeHead(200).end("<h1>keys</h1>");
    if (handle.mood === "endless") return void res.writeHead(200).end(" ".repeat(1_000_000));
    res.writeHead(200, { "content-type": "application/json", ...handle.headers });
    res.end(JSON.stringify({ keys: handle.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const handle: KeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    keys,
    mood: "well",
    headers: {},
    fetches: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return handle;
}
