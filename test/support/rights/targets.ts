// What identities may not write: code, live pages, pages of others, gated pages.
import type { Subject } from "./route-requests.js";

/** The kinds of targets. */
export type TargetName = "code" | "live page" | "foreign path" | "gated page" | "own draft";
/** A subject of requests that is a target. */
export interface Target {
  readonly name: TargetName;
  readonly subject: Subject;
}

/** Appears on the disk when text that a request sent has run as code. */
export const CANARY_FILE = "ran-as-code";

const page = (title: string, more = "", body = "Text."): string =>
  `---\ntitle: ${title}\n${more}---\n\n${body}\n`;
const draft = "status: draft\n";
const FILE = "%PDF-1.4\n";

/** Text of a page that creates `file` when it runs as MDX. Plain Markdown shows it. */
export function mdxCanary(file: string): string {
  const script = `globalThis.process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(file)}, "")`;
  return page("Changed", draft, `export const ran = ${script};\n\n# Changed {String(ran)}`);
}

/** The content folder of the site. */
export const content: Readonly<Record<string, string>> = {
  "01.home/default.md": page("Home"),
  "02.blog/default.md": page("Blog"),
  "02.blog/01.live/default.md": page("Live", "", "The live text.\n\n![File](file.png)"),
  "02.blog/01.live/file.pdf": FILE,
  "02.blog/01.live/file.pdf.meta.yaml": "alt: A file\n",
  "02.blog/02.draft/default.md": page("Draft", draft),
  "02.blog/02.draft/file.pdf": FILE,
  "02.blog/03.code/default.mdx": page("Code", draft, "{1 + 1}"),
  "02.blog/03.code/file.pdf": FILE,
  "02.blog/04.gated/default.md": page("Gated", "roles: [member]\n", "For members."),
  "02.blog/04.gated/file.pdf": FILE,
  "02.blog/05.moved/default.md": page("Moved", draft),
  "02.blog/06.planned/default.md": page("Planned", "publish_date: 2027-03-01\n"),
  "02.blog/11.code-conflict/default.mdx": page("Code conflict", draft),
  "02.blog/12.live-conflict/default.md": page("Live conflict"),
  "02.blog/13.gated-conflict/default.md": page("Gated conflict", "roles: [member]\n"),
  "02.blog/14.draft-conflict/default.md": page("Draft conflict", draft),
  "02.blog/20.gone/default.md": page("Gone", draft),
  "02.blog/21.code-gone/default.mdx": page("Code gone", draft, "{1 + 1}"),
  "02.blog/22.live-gone/default.md": page("Live gone"),
  "02.blog/23.gated-gone/default.md": page("Gated gone", "roles: [member]\n"),
  "03.shop/default.md": page("Shop"),
  "03.shop/01.plans/default.md": page("Plans", draft),
  "03.shop/01.plans/file.pdf": FILE,
  "03.shop/02.offer/default.md": page("Offer"),
  "03.shop/02.offer/file.pdf": FILE,
  "03.shop/11.conflict/default.md": page("Shop conflict", draft),
  "03.shop/20.gone/default.md": page("Shop gone", draft),
};

/** Pages with a conflict with the git remote, and those in the trash, by target. */
export const CONFLICTS: Readonly<Record<TargetName, string>> = {
  code: "02.blog/11.code-conflict/default.mdx",
  "live page": "02.blog/12.live-conflict/default.md",
  "gated page": "02.blog/13.gated-conflict/default.md",
  "own draft": "02.blog/14.draft-conflict/default.md",
  "foreign path": "03.shop/11.conflict/default.md",
};
export const GONE: Readonly<Record<TargetName, string>> = {
  code: "02.blog/21.code-gone/default.mdx",
  "live page": "02.blog/22.live-gone/default.md",
  "gated page": "02.blog/23.gated-gone/default.md",
  "own draft": "02.blog/20.gone/default.md",
  "foreign path": "03.shop/20.gone/default.md",
};

/** Addresses whose answers to anonymous requests must not change. */
export const ADDRESSES = [
  "/blog",
  "/blog/live",
  "/blog/draft",
  "/blog/gated",
  "/blog/moved",
  "/blog/live-conflict",
  "/blog/gated-conflict",
  "/blog/live-gone",
  "/blog/gated-gone",
  "/blog/new",
  "/blog/taken",
  "/shop/offer",
  "/shop/plans",
  "/shop/given",
  "/claimed",
  "/content-media/02.blog/01.live/file.pdf",
  "/content-media/02.blog/02.draft/file.pdf",
  "/content-media/02.blog/04.gated/file.pdf",
  "/content-media/03.shop/01.plans/file.pdf",
  "/content-media/03.shop/02.offer/file.pdf",
  "/api/pages/blog/live/media",
] as const;

const DRAFT = "02.blog/02.draft/default.md";

/** The targets; `canary` is the text of a page that tells when it has run. */
export function targetsWith(canary: string): Target[] {
  const at = (name: TargetName, path: string, to: string, more: Partial<Subject> = {}): Target => {
    const folder = /\.\w+$/.test(path) ? path.replace(/\/[^/]+$/, "") : path;
    const route = `/${folder.replaceAll(/(^|\/)\d+\./g, "$1")}`;
    const text = name === "code" ? canary : page("Changed");
    const subject: Subject = {
      path,
      to,
      route,
      media: `${folder}/file.pdf`,
      sibling: path.startsWith("03.")
        ? "03.shop/02.offer/default.md"
        : "02.blog/01.live/default.md",
      fileName: "file.pdf",
      content: text,
      frontmatter: [
        { title: "Changed" },
        {
          status: "published",
          published: true,
          roles: null,
          routes: { aliases: ["/claimed"] },
        },
      ],
      ids: { "/admin/api/flex": "aaaaaaaaaaaa" },
      ...more,
    };
    return { name, subject };
  };
  return [
    at("code", "02.blog/03.code/default.mdx", "02.blog/90.new/default.mdx"),
    at("code", "02.blog/90.new/default.mdx", "02.blog/91.new/default.mdx"),
    at("code", "02.blog/90.new/default.MDX", "02.blog/91.new/default.MDX"),
    at("code", DRAFT, "02.blog/02.draft/default.mdx"),
    at("code", DRAFT, "02.blog/90.new/default.tsx"),
    at("code", DRAFT, "02.blog/02.draft/default.en.MDX", { fileName: "file.mdx" }),
    at("code", "02.blog/03.code", "02.blog/90.new"),
    at("code", "02.blog/05.moved/default.mdx", "02.blog/90.new/default.mdx"),
    at("live page", "02.blog/01.live/default.md", "02.blog/90.new/default.md"),
    at("live page", "02.blog/01.live", "02.blog/90.new"),
    at("foreign path", "03.shop/01.plans/default.md", "02.blog/95.taken/default.md"),
    at("foreign path", DRAFT, "03.shop/95.given/default.md"),
    at("foreign path", "02.blog/02.draft", "03.shop/95.given"),
    at("foreign path", "03.shop/02.offer/default.md", "03.shop/95.given/default.md"),
    at("live page", "02.blog/00.live/default.md", "02.blog/01.live/index.md"),
    at("live page", "02.blog/01.live/default.de.md", "02.blog/01.live/_part/default.md"),
    at("gated page", "02.blog/04.gated/default.md", "02.blog/90.new/default.md"),
    at("own draft", DRAFT, "02.blog/90.new/default.md"),
    at("own draft", "02.blog/06.planned/default.md", "02.blog/90.new/default.md"),
  ];
}
