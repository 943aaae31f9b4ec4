import assert from "node:assert/strict";
import { mkdtemp, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { h } from "preact";
import type { MarkdownProblem, Rendered } from "../../../../plugins/markdown/contract.js";
import { TsxFormat } from "../../../../plugins/markdown/formats/tsx.js";
import { mediaItem, pageEntry, pageOf } from "../../../support/content/markdown-pages.js";

interface PageProps {
  name: string;
  route: string;
  frontmatter: { description: string };
  media: { url(name: string): string; list(): unknown[] };
}

describe("the tsx format", () => {
  let folder: string;
  let problem: MarkdownProblem | null;
  let exported: unknown;
  let loads: string[];
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "site-tsx-")));
    await mkdir(join(folder, "01.a"));
    await writeFile(join(folder, "01.a/default.tsx"), "export default () => null;");
    problem = null;
    loads = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const item = mediaItem("01.a", "a b.png");
  function render(props = {}, hash = "1", format = newFormat()): Promise<Rendered> {
    const entry = pageEntry("01.a/default.tsx", { hash, frontmatter: { description: "About" } });
    return format.render({
      page: pageOf(entry, "", [item]),
      resolve: (reference) => `/m/${reference}`,
      props,
    });
  }
  function newFormat(showsErrors = true): TsxFormat {
    return new TsxFormat({
      contentFolder: folder,
      modules: {
        load: async (file) => {
          loads.push(file);
          return { default: exported };
        },
        invalidate: async () => void loads.push("invalidate"),
      },
      onOutcome: (_page, outcome) => void (problem = outcome),
      showsErrors,
    });
  }

  it("renders the default export with its props, front matter and media", async () => {
    exported = ({ name, frontmatter, media, route }: PageProps) =>
      h(
        "p",
        null,
        `${name} ${frontmatter.description} ${media.url("a b.png")} ${media.list().length} ${route}`,
      );
    const { html } = await render({ name: "Ann" });
    assert.equal(html, "<p>Ann About /m/a%20b.png 1 /a</p>");
    assert.equal(problem, null);
  });

  it("renders an asynchronous component", async () => {
    exported = async () => h("p", null, "later");
    assert.equal((await render()).html, "<p>later</p>");
  });

  it("reloads a changed file", async () => {
    exported = () => h("p", null);
    const format = newFormat();
    await render({}, "1", format);
    await render({}, "1", format);
    await render({}, "2", format);
    assert.deepEqual(loads.filter((load) => load === "invalidate").length, 1);
  });

  it("shows an error instead of a page that throws or exports no component", async () => {
    exported = () => {
      throw new Error(`cannot read ${folder}/secret`);
    };
    assert.match((await render()).html, /cannot read secret/);
    assert.doesNotMatch((await render({}, "1", newFormat(false))).html, /secret/);
    exported = 3;
    assert.match((await render()).html, /not a component/);
    assert.equal(problem?.code, "ERR_MARKDOWN_COMPONENT");
  });

  it("loads nothing outside the content folder", async () => {
    await rm(join(folder, "01.a/default.tsx"));
    await symlink("/etc/hostname", join(folder, "01.a/default.tsx"));
    exported = () => h("p", null);
    assert.match((await render()).html, /not in the content folder/);
    assert.deepEqual(loads, []);
  });

  it("has the text of its front matter", () => {
    const page = pageOf(pageEntry("a.tsx", { frontmatter: { description: "About" } }), "code");
    assert.equal(newFormat().text(page), "About");
  });
});
