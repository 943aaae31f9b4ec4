import { readFileSync } from "node:fs";
import { runningFile, sha256 } from "#kernel/internal";

/** Headers of files that are named by their digest. */
export const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" } as const;

/** A file of the panel, named by its digest. */
export interface PanelAsset {
  /** `admin.1a2b3c4d5e.css` */
  name: string;
  text: string;
}

/** The style sheet. Read once: each page names it. */
export const panelStyle = asset("admin", "css");

/** The script of the login page that signs in with passkeys. */
export const passkeyScript = asset("passkey-login", "js");

function asset(name: string, extension: string): PanelAsset {
  const text = readFileSync(runningFile(`plugins/admin/assets/${name}.${extension}`), "utf8");
  const hash = sha256(text).slice(0, 10);
  return { name: `${name}.${hash}.${extension}`, text };
}
