import assert from "node:assert/strict";
import { MdFormat, type MdFormatOptions } from "../../../../plugins/markdown/formats/md.js";
import { RenderFailure } from "../../../../plugins/markdown/render/threads/render-pool.js";
import { noShortcodes } from "../../../support/content/no-shortcodes.js";
import { fakeHooks } from "../../../support/fake-hooks.js";
import { pageEntry, pageOf } from "../../../support/content/markdown-pages.js";
import { plainOptions } from "../../../support/content/render-markdown.js";

const page = pageOf(pageEntry("a/post.md"), "# Title\n\nbody");
const input = { page, resolve: () => null };
const rendered = (html: string) => ({ html, headings: [] });

/** A format that wraps bodies in `<p>`, with a log of its work. */
function create(parts: Partial<MdFormatOptions> = {}) {
  const done: string[] = [];
  const state = { epoch: 0 };
  const bodies: MdFormatOptions["bodies"] = {
    render: async (raw) => {
      done.push(`render ${raw}`);
      return { rendered: rendered(`<p>${raw}</p>`), failure: null, references: ["b.md"] };
    },
    renderPreview: async (raw) => ({ rendered: rendered(raw), failure: null }),
    renderText: async (raw) => ({ rendered: rendered(`<i>${raw}</i>`), failure: null }),
    clean: async (html) => ({ rendered: rendered(html), failure: null }),
  };
  const format = new MdFormat({
    bodies,
    hooks: fakeHooks(),
    options: () => plainOptions,
    shortcodes: noShortcodes(),
    includes: [],
    epoch: () => state.epoch,
    syntaxOf: () => [],
    reads: (_page, references) => references.map((reference) => `page:${reference}`),
    onOutcome: (_page, failure) => void (failure !== null && done.push(failure.code)),
    ...parts,
  });
  return { format, done, state, bodies };
}

describe("MdFormat", () => {
  it("caches the result until something in the tree changes", async () => {
    const { format, done, state } = create();
    const first = await format.render(input);
    assert.deepEqual([first.html, first.reads], ["<p># Title\n\nbody</p>", ["page:b.md"]]);
    assert.equal(await format.render(input), first);
    assert.equal(done.length, 1);
    state.epoch += 1;
    await format.render(input);
    assert.equal(done.length, 2);
  });

  it("lets a plugin change the source, and does not cache then", async () => {
    const { format, done } = create({
      hooks: fakeHooks(
        (_name, data) => Object.assign(data, { raw: "other" }),
        ["onMarkdownProcess"],
      ),
    });
    await format.render(input);
    assert.equal((await format.render(input)).html, "<p>other</p>");
    assert.deepEqual(done, ["render other", "render other"]);
  });

  it("reports a failure and does not cache it", async () => {
    const failure = new RenderFailure("ERR_MARKDOWN_TIMEOUT", "too long");
    const { bodies } = create();
    const { format, done } = create({
      bodies: { ...bodies, render: async () => ({ rendered: rendered("source"), failure }) },
    });
    assert.equal((await format.render(input)).html, "source");
    await format.render(input);
    assert.deepEqual(done, ["ERR_MARKDOWN_TIMEOUT", "ERR_MARKDOWN_TIMEOUT"]);
  });
});
