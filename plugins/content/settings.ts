import { siteFolder } from "#kernel";
import { z } from "zod";
import { pathProblem, redirectSourceProblem, redirectTargetProblem } from "./view/redirects.js";

export type { RedirectRule } from "./view/redirects.js";

/** A path on this site. */
const route = z.string().superRefine(reject(pathProblem));
const redirectSource = z.string().superRefine(reject(redirectSourceProblem));
// Whether it may contain `:splat` depends on its key.
const redirectTarget = z.string().superRefine(reject((to) => redirectTargetProblem(to, "/*")));

/** A custom check that reports what the function returns. */
function reject(problemOf: (value: string) => string | null) {
  return (value: string, context: z.RefinementCtx): void => {
    const message = problemOf(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  };
}
const language = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, {
  error: "a language code such as `en` or `pt-BR`",
});
const taxonomy = z
  .string()
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u, { error: "a name of letters, digits, `-` and `_`" });

const content = z
  .strictObject({
    dir: siteFolder("content").describe("Folder of the pages, in the site root").default("content"),
    watch: z
      .enum(["events", "poll"])
      .describe(
        "How changed files are noticed: by events, or every five seconds by time and size, for network file systems without events",
      )
      .default("events"),
  })
  .describe("Where the pages are and how they are read")
  .prefault({});

const cache = z
  .strictObject({
    enabled: z.boolean().describe("Keeps what was read and rendered").default(true),
    driver: z
      .enum(["memory", "filesystem", "kv"])
      .describe("Where entries are stored: in memory, in files, or in one database file")
      .default("filesystem"),
    lifetime: z.int().min(0).describe("Seconds for which an entry is cached").default(3600),
    check: z
      .enum(["file", "hash", "none"])
      .describe(
        "How a changed page is noticed at start: by time and size, by its bytes, or not at all",
      )
      .default("file"),
  })
  .describe("The cache of derived data")
  .prefault({});

const languages = z
  .strictObject({
    supported: z.array(language).min(1).describe("Languages of the site").default(["en"]),
    default: language.describe("Language of files without a language suffix").default("en"),
    include_default_in_url: z
      .boolean()
      .describe("Whether the default language has a prefix too")
      .default(false),
    rtl_override: z
      .array(language)
      .describe("Languages written from right to left, beside those that are known to be")
      .default([]),
  })
  .superRefine((value, context) => {
    if (value.supported.includes(value.default)) return;
    context.addIssue({
      code: "custom",
      path: ["default"],
      message: `one of languages.supported: ${value.supported.join(", ")}`,
      params: { fix: "add it to languages.supported, or choose one of them" },
    });
  })
  .describe("Languages and their addresses")
  .prefault({});

export const settings = {
  site: z.object({
    taxonomies: z
      .array(taxonomy)
      .describe("Kinds of terms that pages are sorted by")
      .default(["category", "tag"]),
    routes: z
      .record(route, route)
      .describe("Aliases: address to the route whose page it shows")
      .default({}),
    redirects: z
      .record(redirectSource, redirectTarget)
      .superRefine((redirects, context) => {
        for (const [from, to] of Object.entries(redirects)) {
          // A target that is wrong for every key has been reported.
          const isReported = redirectTargetProblem(to, "/*") !== null;
          const message = isReported ? null : redirectTargetProblem(to, from);
          if (message !== null) context.addIssue({ code: "custom", path: [from], message });
        }
      })
      .describe(
        "Redirects: old address, such as `/old`, `/?p=12` or `/old/*`, to new one; `:splat` is replaced by what `*` matches",
      )
      .default({}),
    redirect_status: z
      .union([z.literal(301), z.literal(302)])
      .describe("Status of the redirects: 301 for good, 302 for now")
      .default(301),
    home: z
      .string()
      .regex(/^[^\s\\\p{Cc}]+$/u, { error: "the slug of a page" })
      .nullable()
      .describe("Slug of the home page; found by itself when null")
      .default(null),
  }),
  system: z.object({ content, cache, languages }),
};

/** Section `cache` of system.yaml. */
export type CacheSection = z.output<typeof cache>;
/** Section `languages` of system.yaml. */
export type LanguagesSection = z.output<typeof languages>;
