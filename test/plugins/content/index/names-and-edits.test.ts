import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

/** What the index says of pages after they, or pages beside them, have changed. */
describe("pages beside each other", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const boot = async (
    files: Record<string, string>,
    settings: Record<string, Record<string, unknown>> = {},
  ) => {
    site = await bootSite({ files, plugins: ["content", "check", "pages"], settings });
    return site.site.context("test").use("content");
  };

  it("have the page type that the index gives them, also while they are written", async () => {
    const content = await boot({
      "blueprints/blog.yaml": "fields: {}\n",
      "blueprints/first.yaml": "fields:\n  version: { type: number }\n",
      "content/02.blog/blog.md": "# Blog\n",
      "content/02.blog/first.md": "---\nversion: 1.10\n---\n",
    });
    const entry = content.generation().bySource.get("02.blog/first.md");
    assert.equal(entry?.template, "default");
    const { blueprint } = content.blueprints.describe("02.blog/first.md", "# First\n");
    assert.equal(blueprint?.name, undefined);
    assert.equal(content.blueprints.describe("02.blog/second.md", "").blueprint, undefined);
  });

  it("keep the warning about their name when their text changes", async () => {
    const content = await boot({
      "content/index.md": "# Home\n",
      "content/release.fr.md": "# One\n",
    });
    const codes = () => content.problems().map(({ code }) => code);
    assert.deepEqual(codes(), ["ERR_CONTENT_LANGUAGE"]);
    await site.write("content/release.fr.md", "# Two\n");
    await content.refresh(["release.fr.md"]);
    assert.equal(content.generation().bySource.get("release.fr.md")?.title, "Two");
    assert.deepEqual(codes(), ["ERR_CONTENT_LANGUAGE"]);
  });

  it("are the page of their folder in a language, whatever stands beside the original", async () => {
    await boot(
      {
        "content/index.md": "# Home\n",
        "content/blog/default.md": "# Blog\n",
        "content/blog/index.md": "# Other\n",
        "content/blog/index.de.md": "# Deutsch\n",
      },
      { system: { languages: { supported: ["en", "de"], default: "en" } } },
    );
    const { title } = await (await site.fetch("/api/pages/blog?lang=de")).json();
    assert.equal(title, "Deutsch");
  });

  it("are not home when their name keeps them off the site", async () => {
    const content = await boot(
      { "content/01.start/default.md": "# Start\n", "content/a.draft.md": "# Draft\n" },
      { site: { home: "/a.draft" } },
    );
    assert.equal((await site.fetch("/api/pages/")).status, 200);
    assert.ok(content.problems().some(({ code }) => code === "ERR_CONTENT_HOME"));
  });

  it("stay scheduled when another name of the key is empty", async () => {
    const content = await boot({
      "content/index.md": "# Home\n",
      "content/later.md": "---\npublish_date:\npublishDate: 2099-01-01\n---\nLater.\n",
    });
    const entry = content.generation().bySource.get("later.md");
    assert.equal(entry?.publishAt, Date.parse("2099-01-01"));
  });

  it("are read in time that grows with their front matter only", async () => {
    const long = `a${" ".repeat(300_000)}x`;
    const content = await boot({
      "content/index.md": "# Home\n",
      "content/long.md": `---\nprivate: "${long}"\nstate: "${long}"\ncanonical: "/${"/".repeat(100_000)}x"\n---\nText.\n`,
    });
    const entry = content.generation().bySource.get("long.md");
    assert.ok(entry !== undefined);
    content.indexing.isIndexed(entry);
  });
});
