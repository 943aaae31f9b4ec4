import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { runningFile } from "#kernel/internal";

/** The script of the pages that use passkeys. */
export interface PasskeyScript {
  /** Holds a digest. */
  readonly url: string;
  readonly text: string;
}

/** Reads the script. */
export function passkeyScript(): PasskeyScript {
  const text = readFileSync(runningFile("plugins/auth/assets/passkeys.js"), "utf8");
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return { url: `/auth/passkeys/${digest}.js`, text };
}
