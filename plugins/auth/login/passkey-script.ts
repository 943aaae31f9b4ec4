import { readFileSync } from "node:fs";
import { runningFile, sha256 } from "#kernel/internal";

/** The script of the pages that use passkeys. */
export interface PasskeyScript {
  /** Holds a digest. */
  readonly url: string;
  readonly text: string;
}

/** Reads the script. */
export function passkeyScript(): PasskeyScript {
  const text = readFileSync(runningFile("plugins/auth/assets/passkeys.js"), "utf8");
  const digest = sha256(text).slice(0, 10);
  return { url: `/auth/passkeys/${digest}.js`, text };
}
