import assert from "node:assert/strict";
import { z } from "zod";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import {
  docsifyMarks,
  liquidMarks,
  mdbookMarks,
  vitepressMarks,
  withoutMdbookMarks,
} from "../../../plugins/import/sources/includes/include-marks.js";
import {
  type IncludeMarks,
  withIncludes,
} from "../../../plugins/import/sources/includes/includes.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

type Files = Readonly<Record<string, string>>;

/** Includes files of a map into the first of them. */
async function included(marks: IncludeMarks, files: Files) {
  const [first = ""] = Object.keys(files);
  const read = (path: string) => Promise.resolve(files[path] ?? null);
  const paths = new Set(Object.keys(files));
  return withIncludes(files[first] ?? "", first, marks, { paths, read });
}

const reports = z.tuple([z.object({ notImported: z.array(z.object({ reason: z.string() })) })]);

describe("inclusions of mdBook", () => {
  it("take lines, anchors and whole files, in code too, without the marks of regions", async () => {
    const { text, notes } = await included(mdbookMarks, {
      "src/a.md":
        "```rust\n{{#include ../code/x.rs:2:3}}\n```\n{{#rustdoc_include ../code/x.rs:part}}\n{{#include ../code/x.rs}}\n\\{{#include no}}\n{{#include gone.rs}}\n",
      "code/x.rs":
        "one\ntwo\nthree\n// ANCHOR: part\n  four\n// ANCHOR_END: part\n// ANCHOR: parts\nfive\n",
    });
    assert.equal(
      withoutMdbookMarks(text),
      "```rust\ntwo\nthree\n```\nfour\none\ntwo\nthree\n  four\nfive\n{{#include no}}\n\n",
    );
    assert.deepEqual(notes, ['the included file "gone.rs" was not found and is left out']);
  });

  it("are read in included text, whose links lead from its place; a circle is one line of the report", async () => {
    const { text, notes } = await included(mdbookMarks, {
      "a.md": "{{#include parts/b.md}}",
      "parts/b.md":
        "---\ntitle: B\n---\n[c](c.md#x) ![p](p.png) [here](other.md) [web](https://x.example) `[c](c.md)`\n{{#include ../a.md}}",
      "parts/c.md": "",
      "parts/p.png": "",
      "other.md": "",
    });
    assert.equal(
      text,
      "[c](/parts/c.md#x) ![p](/parts/p.png) [here](other.md) [web](https://x.example) `[c](c.md)`\n",
    );
    assert.deepEqual(notes, [
      'files include each other and are left out: "a.md" → "parts/b.md" → "a.md"',
    ]);
  });

  it("show a playground as code", async () => {
    const { text } = await included(mdbookMarks, {
      "a.md": "{{#playground x.rs editable}}",
      "x.rs": "fn main() {}\n",
    });
    assert.equal(text, "```rust,editable\nfn main() {}\n```");
  });
});

describe("inclusions of VitePress", () => {
  it("take lines, regions and headings, and code with its marks", async () => {
    const { text, notes } = await included(vitepressMarks("docs"), {
      "docs/a.md":
        "<!--@include: ./parts/b.md{2,3}-->\n<!-- @include: ./parts/b.md#the-part -->\n<<< @/x.ts#snip{1,3 js:line-numbers} [X]\n<<< ./gone.js\n```md\n<<< @/x.ts\n```\n",
      "docs/parts/b.md":
        "one\ntwo\nthree\n<!-- #region the-part -->\nfour\n<!-- #endregion the-part -->\n",
      "docs/x.ts": "a\n// #region snip\nb\n// #endregion snip\n",
    });
    assert.equal(text, "two\nthree\nfour\n```js [X] {1,3}\nb\n```\n\n```md\n<<< @/x.ts\n```\n");
    assert.match(notes.join(), /"\.\/gone\.js" was not found/);
  });

  it("take a section by its heading", async () => {
    const { text } = await included(vitepressMarks(""), {
      "a.md": "<!--@include: ./b.md#my-part-->",
      "b.md": "# B\n\n## My part\n\nText\n\n### Deep\n\nMore\n\n## Next\n",
    });
    assert.equal(text, "## My part\n\nText\n\n### Deep\n\nMore");
  });
});

describe("inclusions of docsify", () => {
  it("take Markdown, code and fragments, and leave players", async () => {
    const { text } = await included(docsifyMarks, {
      "a.md":
        "[b](b.md ':include')\n[c](c.js ':include :type=code :fragment=demo')\n[v](v.mp4 ':include')\n`[b](b.md ':include')`\n",
      "b.md": "Text\n",
      "c.js": "a\n/// [demo]\nb\n/// [demo]\nc\n",
    });
    assert.equal(text, "Text\n```js\nb\n```\n[v](v.mp4 ':include')\n`[b](b.md ':include')`\n");
  });
});

describe("inclusions of Jekyll", () => {
  it("fill in plain values, and leave templates with logic", async () => {
    const { text } = await included(liquidMarks(["_includes"]), {
      "a.md":
        '{% include tip.html text="Mind it" %}\n{% include_relative b.md %}\n{% include loop.html %}\n',
      "_includes/tip.html":
        '<p{% if include.id %} id="{{ include.id }}"{% endif %}>{{ include.text }}</p>\n',
      "_includes/loop.html": "{% for x in site.posts %}{{ x }}{% endfor %}",
      "b.md": "Text\n",
    });
    assert.equal(text, "<p>Mind it</p>\nText\n{% include loop.html %}\n");
  });
});

interface Case {
  readonly source: string;
  readonly files: Files;
  readonly page: string;
  readonly texts: readonly RegExp[];
  readonly reported?: readonly RegExp[];
}
const CASES: readonly Case[] = [
  {
    source: "mkdocs",
    files: {
      "mkdocs.yml": "site_name: S\n",
      "docs/a.md":
        '# A\n\n```py\n--8<-- "docs/x.py:2:3"\n```\n\n--8<--\nparts/p.md\n--8<--\n\n--8<-- "parts/q.md:sec"\n\n```md\n;--8<-- "x"\n```\n',
      "docs/x.py": "a\nb\nc\n",
      "docs/parts/p.md": "[n](n.md)\n",
      "docs/parts/n.md": "# N\n",
      "docs/parts/q.md": "x\n<!-- --8<-- [start:sec] -->\ny\n<!-- --8<-- [end:sec] -->\n",
    },
    page: "a/docs.md",
    texts: [/```py\nb\nc\n```\n\n\[n\]\(\/parts\/n\)\n\ny\n\n```md\n--8<-- "x"\n```/],
  },
  {
    source: "obsidian",
    files: {
      "A.md":
        "Before\n\n![[B]]\n\n> ![[b#Part two]]\n\n![[B#^one]]\n\n![[A]]\n\n`![[B]]` ![[none]]\n",
      "notes/B.md":
        "---\ntags: [x]\n---\nFirst [[A]] ^one\n\n## Part two\n\nText\n\n## Other\n\nEnd\n",
    },
    page: "a/default.md",
    texts: [
      /Before\n\nFirst \[A\]\(\/a\)\n\n## Part two\n\nText\n\n## Other\n\nEnd\n\n> ## Part two\n> \n> Text\n\nFirst \[A\]\(\/a\)\n/,
      /`!\[\[B\]\]` <!-- !\[\[none\]\] -->/,
    ],
    reported: [/files include each other and are left out: \\"A\.md\\" → \\"A\.md\\"/],
  },
  {
    source: "docusaurus",
    files: {
      "docusaurus.config.js": "module.exports = {};\n",
      "docs/a.mdx":
        "import Part from './_part.mdx';\nimport code from '!!raw-loader!./x.js';\nimport CodeBlock from '@theme/CodeBlock';\n\n# A\n\n<Part name=\"Ines\" />\n\n<CodeBlock language=\"js\" title=\"x.js\">{code}</CodeBlock>\n",
      "docs/_part.mdx": "Hello {props.name}, see [b](./b.md).\n",
      "docs/b.md": "# B\n",
      "docs/x.js": "let a;\n",
    },
    page: "docs/a/docs.md",
    texts: [/^Hello Ines, see \[b\]\(\/docs\/b\)\.\n\n```js title="x\.js"\nlet a;\n```$/m],
  },
  {
    source: "hugo",
    files: {
      "hugo.toml": "",
      "content/a.md":
        '---\ntitle: A\n---\n{{% include "parts/p.md" %}}\n\n{{< readfile file="/data/x.yaml" code="true" lang="yaml" >}}\n\n{{< include "gone.md" >}}\n',
      "content/parts/p.md": "---\ntitle: P\n---\nPart\n",
      "static/data/x.yaml": "a: 1\n",
    },
    page: "a/default.md",
    texts: [/^Part\n\n```yaml\na: 1\n```/m],
    reported: [/the included file \\"gone\.md\\" was not found and is left out/],
  },
];

describe("site import of pages that include files", () => {
  for (const { source, files, page, texts, reported = [] } of CASES) {
    it(`puts in the text for ${source}`, async () => {
      const below = Object.entries(files).map(([path, text]) => [`in/${path}`, text]);
      const site = await bootEmpty(Object.fromEntries(below));
      try {
        const { json } = await runImport(site, [source, "in"], { json: true });
        const text = await contentOf(site, page);
        for (const pattern of texts) assert.match(text, pattern);
        for (const pattern of reported) assert.match(JSON.stringify(json), pattern);
      } finally {
        await site.close();
      }
    });
  }

  it("reads nothing outside of the source, and follows no links", async () => {
    const site = await bootEmpty({
      "in/mkdocs.yml": "site_name: S\n",
      "in/docs/a.md":
        '# A\n\n--8<-- "../../secret.md"\n\n--8<-- "link.md"\n\n--8<-- "linked/secret.md"\n\n--8<-- "/etc/hostname"\n',
      "secret.md": "Secret\n",
    });
    try {
      await symlink(join(site.root, "secret.md"), join(site.root, "in/docs/link.md"));
      await symlink(site.root, join(site.root, "in/docs/linked"));
      const { json } = await runImport(site, ["mkdocs", "in"], { json: true });
      assert.doesNotMatch(await contentOf(site, "a/docs.md"), /Secret/);
      const [{ notImported }] = reports.parse(json);
      const missing = notImported.filter(({ reason }) =>
        reason.includes("was not found and is left out"),
      );
      assert.equal(missing.length, 4);
    } finally {
      await site.close();
    }
  });
});
