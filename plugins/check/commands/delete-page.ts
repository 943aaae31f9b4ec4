import { readdir } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import type { Command, CommandInput, SiteContext } from "#kernel";
import { exitCode } from "#kernel/internal";
import type { PageEntry } from "../../content/contract.js";
import { isFolderPage, parseRoute, routeError } from "../page-route.js";

/** `content:delete`: a page with its media and everything below it. */
export function deletePageCommand(): Command {
  return {
    name: "content:delete",
    summary: "delete the page of a route, with its media, translations and the pages below it",
    arguments: "<route>",
    options: [
      ["--confirm", "really delete"],
      ["--dry-run", "show what would be deleted"],
      ["--json", "print JSON"],
    ],
    run: (input) => exitCode(input, () => deletePage(input)),
  };
}

async function deletePage({ site, args, options, out }: CommandInput): Promise<number> {
  const context = await site();
  const entry = entryAt(context, args[0] ?? "");
  const files = await filesOf(context, entry);
  const references = await context.use("check").references(...files);
  const isReal = options["confirm"] === true && options["dryRun"] !== true;
  const changes = files.map((path) => ({ op: "delete" as const, path }));
  const results = await context.use("content").apply(changes, { dryRun: !isReal });
  if (options["json"] === true) out.json({ deleted: isReal, results, references });
  else {
    for (const { path, errors } of results) out.line([path, ...errors].join("  "));
    for (const { from, line } of references) out.line(`linked from ${from}:${line}`);
    if (!isReal) out.line("nothing was deleted; add --confirm to delete these files");
  }
  const isRefused = results.some(({ status }) => status === "error");
  const isAsked = isReal || options["dryRun"] === true;
  return isRefused || !isAsked ? 1 : 0;
}

function entryAt(site: SiteContext, text: string): PageEntry {
  const route = parseRoute(text);
  const entry = site.use("content").generation().at(route, site.settings.system.languages.default);
  if (entry === undefined) throw routeError(`there is no page at ${JSON.stringify(route)}`, 404);
  return entry;
}

/** Every file of the page: its folder, or the file with its translations. */
async function filesOf(site: SiteContext, entry: PageEntry): Promise<string[]> {
  if (!isFolderPage(entry)) {
    const { entries } = site.use("content").generation();
    const same = entries.filter(
      ({ folder, route }) => folder === entry.folder && route === entry.route,
    );
    return same.map(({ sourcePath }) => sourcePath);
  }
  const items = await readdir(join(site.paths.content, entry.folder), {
    recursive: true,
    withFileTypes: true,
  });
  return items
    .filter((item) => !item.isDirectory() && !item.name.startsWith("."))
    .map((item) => join(item.parentPath, item.name).slice(site.paths.content.length + 1))
    .map((path) => path.split(sep).join(posix.sep));
}
