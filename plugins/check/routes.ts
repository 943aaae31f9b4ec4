import type { SiteContext } from "#kernel";
import type {} from "../admin/contract.js";
import type { CheckService } from "./contract.js";
import { checkApi } from "./schemas.js";

/** `GET {admin.path}/api/problems`: what `content:check` reports. */
export function problemsRoute(site: SiteContext, checks: CheckService): void {
  site.use("admin", { optional: true })?.route({
    method: "get",
    path: "/problems",
    permission: "pages.read",
    summary: "Problems of the content: broken links, invalid front matter, missing files",
    query: checkApi["GET /problems"].query,
    responses: checkApi["GET /problems"].responses,
    tool: {
      name: "check_content",
      description:
        "Problems of the site or of one page: broken links, fields that do not fit, missing files",
    },
    handler: async (req, res, { query: { path } }) => {
      const all = await checks.problems();
      const problems = path === undefined ? all : all.filter((one) => isAt(one.sourcePath, path));
      const items = problems.map(({ sourcePath, code, message, severity, line, key, fix }) => ({
        sourcePath,
        code,
        message,
        severity,
        line,
        key,
        fix,
      }));
      await site.http.json(req, res, { items, total: items.length });
    },
  });
}

function isAt(sourcePath: string, path: string): boolean {
  const folder = path.replace(/^content\//, "").replace(/(?<!\/)\/+$/, "");
  return sourcePath === folder || sourcePath.startsWith(`${folder}/`);
}
