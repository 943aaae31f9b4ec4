import { posix } from "node:path";
import { formatYaml } from "#lib/yaml";
import type { Command, CommandInput, SiteContext } from "#kernel";
import { nearest } from "#lib/values";
import { exitCode } from "#kernel/internal";
import { folderFor, nextNumber, parseRoute, routeError } from "../page-route.js";

/** `content:create`: a new page for a route, unpublished by default. */
export function createPageCommand(): Command {
  return {
    name: "content:create",
    summary: "create a page for a route, unpublished unless --publish is given",
    arguments: "<route>",
    options: [
      ["--title <title>", "title of the page (default: from the route)"],
      ["--template <name>", "template of the page (default: default)"],
      ["--flat", "create a file instead of a folder"],
      ["--publish", "publish it at once"],
      ["--json", "print JSON"],
    ],
    run: (input) => exitCode(input, () => createPage(input)),
  };
}

async function createPage({ site, args, options, out }: CommandInput): Promise<number> {
  const context = await site();
  const route = parseRoute(args[0] ?? "");
  const template = textOf(options["template"]) ?? "default";
  assertTemplate(context, template);
  const path = pathFor(context, { route, template, isFlat: options["flat"] === true });
  const content = newPage(route, options);
  const [result] = await context.use("content").apply([{ op: "write", path, content }]);
  if (options["json"] === true) out.json({ route, ...result });
  else if (result?.status === "error") out.error(result.errors.join("; "));
  else out.line(`${path}  ${route}`);
  return result?.status === "created" ? 0 : 1;
}

function newPage(route: string, options: Readonly<Record<string, unknown>>): string {
  const title = textOf(options["title"]) ?? titleOf(route);
  const template = textOf(options["template"]);
  const matter = {
    title,
    ...(options["flat"] === true && template !== undefined && { template }),
    ...(options["publish"] !== true && { published: false }),
  };
  return `---\n${formatYaml(matter)}---\n\n# ${title.replace(/\s+/g, " ")}\n`;
}

function pathFor(
  site: SiteContext,
  { route, template, isFlat }: { route: string; template: string; isFlat: boolean },
): string {
  const lang = site.settings.system.languages.default;
  const generation = site.use("content").generation();
  const taken = generation.at(route, lang);
  if (taken !== undefined) throw routeError(`${taken.sourcePath} has the route ${route}`, 409);
  const folder = folderFor(generation, posix.dirname(route), lang);
  const name = posix.basename(route);
  if (isFlat) return posix.join(folder, `${name}.md`);
  return posix.join(folder, nextNumber(generation, folder) + name, `${template}.md`);
}

function assertTemplate(site: SiteContext, template: string): void {
  const render = site.use("render", { optional: true });
  if (!/^[\w-]+$/.test(template))
    throw routeError(`${JSON.stringify(template)} is not the name of a template`, 400);
  if (render === undefined || render.has(template)) return;
  const near = nearest(template, render.templates());
  const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw routeError(`no theme has the template ${JSON.stringify(template)}${hint}`, 400);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function titleOf(route: string): string {
  const words = posix.basename(route).replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
