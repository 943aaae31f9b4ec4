import { escapeHtml, type SiteContext, SitePath } from "#kernel";
import { runningFile } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import { readFileSync } from "node:fs";
import type { AdminAsset, AdminService } from "../admin/contract.js";
import { ClientFiles, EXTENSION_FILE_RULES, ExtensionFiles } from "./panel-files.js";
import { SCREEN_PATHS, shellDocument } from "./shell-document.js";

/** Registers what the plugin does in a site that starts. */
export function setUpPanel(site: SiteContext): void {
  const extensions = new ExtensionFiles(
    site.extensions.open("panelExtensions", EXTENSION_FILE_RULES),
  );
  const admin = site.use("admin", { optional: true });
  if (admin === undefined) return;
  const markdown = site.use("markdown", { optional: true });
  const files = new ClientFiles();
  const base = new SitePath(site.settings.site.url).prefix;
  admin.assets("panel", (name) => files.find(name));
  admin.assets("extensions", (name) => extensions.find(name));
  // A missing file is reported at startup.
  site.lifecycle.onReady(async () => extensions.assertReadable());
  admin.document({
    paths: SCREEN_PATHS,
    render: async ({ identity, nonce }) =>
      shellDocument({
        files: await files.entries(),
        nonce,
        path: admin.path,
        menu: admin.menu(identity),
        base,
        title: site.settings.site.title,
        languages: site.settings.system.languages.supported,
        extensions: await extensions.entries(),
        shortcodes: (markdown?.shortcodes() ?? []).map((name) => ({
          name,
          params: (markdown?.shortcodeFields(name) ?? []).map((field) => ({
            name: field.name,
            label: field.label,
            type: field.type,
            required: field.required,
            options: field.options,
          })),
        })),
        cursor: site.changes.cursor,
      }),
  });
  addEditLink(site, admin);
}

function addEditLink(site: SiteContext, admin: AdminService): void {
  if (!site.settings.admin.edit_link) return;
  const link = readEditLink();
  const head = editLinkHead(admin.path, link);
  admin.assets("page", (name) => Promise.resolve(name === link.name ? link.asset : null));
  site.extensions.add("pageHead", () => head);
}

/** The script of public pages that links to the editor, for browsers signed in to the panel. */
interface EditLink {
  /** Holds a digest. */
  readonly name: string;
  readonly asset: AdminAsset;
}

function readEditLink(): EditLink {
  const body = readFileSync(runningFile("plugins/panel/assets/edit-link.js"), "utf8");
  const digest = sha256(body).slice(0, 10);
  return {
    name: `edit-link-${digest}.js`,
    asset: { type: "text/javascript; charset=utf-8", body },
  };
}

/** Markup for the head of public pages: the same for every visitor. `data-live`: static exports leave it out. */
function editLinkHead(path: string, { name }: EditLink): string {
  return `<script type="module" data-live src="${escapeHtml(path)}/assets/page/${name}"></script>`;
}
