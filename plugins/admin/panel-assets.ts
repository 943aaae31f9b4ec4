import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { runningFile } from "#kernel/internal";

/** Headers of files that are named by their digest. */
export const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" } as const;

/** The panel's style sheet, named by its digest. */
export interface PanelStyle {
  /** `admin.1a2b3c4d5e.css` */
  name: string;
  text: string;
}

/** Reads the style sheet once, during setup. */
export function panelStyle(): PanelStyle {
  const text = readFileSync(runningFile("plugins/admin/assets/admin.css"), "utf8");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  return { name: `admin.${hash}.css`, text };
}
