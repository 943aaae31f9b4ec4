import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** What a test may have the authenticator do wrong. */
export interface Ceremony {
  challenge: string;
  origin: string;
  /** Default: true. */
  isUserVerified?: boolean;
}

/** A passkey in software: creates and signs what a browser would send, right or wrong. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(16);
  counter = 1;
  handle = "";
  readonly #rpId: string;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };

  constructor(rpId: string) {
    this.#rpId = rpId;
    this.#keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  /** The response to creation options. */
  create({ challenge, origin, isUserVerified = true }: Ceremony) {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
    const key = new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, bytes(x)],
        [-3, bytes(y)],
      ] as const),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, isoCBOR.encode(key)]);
    const authData = Buffer.concat([this.#authData(isUserVerified ? 0x45 : 0x41), credential]);
    const attestation = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", new Uint8Array(authData)],
    ]);
    return {
      id: this.id.toString("base64url"),
      response: {
        clientDataJSON: clientData("webauthn.create", { challenge, origin }),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The response to request options; the counter grows. */
  get({ challenge, origin, isUserVerified = true }: Ceremony) {
    this.counter += 1;
    const authData = this.#authData(isUserVerified ? 0x05 : 0x01);
    const clientDataJSON = clientData("webauthn.get", { challenge, origin });
    const digest = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signed = Buffer.concat([authData, digest]);
    return {
      id: this.id.toString("base64url"),
      response: {
        clientDataJSON,
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
        userHandle: this.handle,
      },
    };
  }

  #authData(flags: number): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash("sha256").update(this.#rpId).digest(), rest]);
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin })).toString("base64url");
}
