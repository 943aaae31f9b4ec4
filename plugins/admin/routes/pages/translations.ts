import { z } from "zod";
import { contentPath } from "../../write/page-source.js";
import { notFound, selected, type RouteParts } from "../route-parts.js";

const text = z.string();
const error = z.object({ error: text });
const answers = {
  200: z.object({
    lang: text.describe("Language of the page"),
    stamp: text
      .nullable()
      .describe("`translated_from` of translations of the current original; null without one"),
    items: z.array(
      z.object({
        lang: text,
        state: z.enum(["original", "translated", "outdated", "missing"]),
        sourcePath: text.describe("Where its file is, or would be"),
        title: text.nullable(),
        status: text.nullable(),
      }),
    ),
  }),
  404: error,
};

/** The languages of a page, and which are missing or outdated. */
export function translationRoutes({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/translations/*path",
    permission: "pages.read",
    summary: "A page in every language of the site, with what is missing or outdated",
    responses: answers,
    handler: (req, res, { params }) => {
      const check = selected(site.use("check", { optional: true }), "check");
      const found = check.translations(contentPath(params["path"] ?? ""));
      if (found === null) throw notFound();
      return site.http.json(req, res, found);
    },
  });
}
