import { readFileSync } from "node:fs";
import { escapeHtml } from "#kernel";
import { runningFile } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import type { AdminAsset } from "../admin/contract.js";

/** The script of public pages that links to the editor, for browsers signed in to the panel. */
export interface EditLink {
  /** Holds a digest. */
  readonly name: string;
  readonly asset: AdminAsset;
}

/** Reads the script. */
export function editLink(): EditLink {
  const body = readFileSync(runningFile("plugins/panel/assets/edit-link.js"), "utf8");
  const digest = sha256(body).slice(0, 10);
  return {
    name: `edit-link-${digest}.js`,
    asset: { type: "text/javascript; charset=utf-8", body },
  };
}

/** Markup for the head of public pages: the same for every visitor. `data-live`: static exports leave it out. */
export function editLinkHead(path: string, { name }: EditLink): string {
  return `<script type="module" data-live src="${escapeHtml(path)}/assets/page/${name}"></script>`;
}
