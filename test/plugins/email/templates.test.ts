import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInTemplates, fillTemplate, Templates } from "../../../plugins/email/templates.js";
import { useFolder } from "../../support/folder.js";

describe("mail templates", () => {
  const folder = useFolder();
  let templates: Templates;
  beforeEach(async () => {
    await mkdir(join(folder.path, "theme", "emails"), { recursive: true });
    templates = new Templates(() => [join(folder.path, "theme"), join(folder.path, "parent")]);
  });
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(folder.path, "theme", "emails", name), text);
  const own = { subject: "s", text: "t", html: "h" };

  it("are the built-in ones without a theme, or if the theme has none", async () => {
    const builtIn = builtInTemplates["magic-link"];
    assert.deepEqual(await templates.get("magic-link"), builtIn);
    assert.deepEqual(await new Templates(() => []).get("magic-link"), builtIn);
  });

  it("of a plugin replace built-in ones, and those of the theme replace both", async () => {
    templates.add("magic-link", own);
    assert.deepEqual(await templates.get("magic-link"), own);
    await write("magic-link.txt", "theirs");
    await write("magic-link.html", "<b>theirs</b>");
    assert.deepEqual(await templates.get("magic-link"), {
      subject: "s",
      text: "theirs",
      html: "<b>theirs</b>",
    });
  });

  it("are text-only with only a theme's text; with only its HTML, the default text is used", async () => {
    await write("magic-link.txt", "theirs");
    assert.equal((await templates.get("magic-link")).html, "");
    templates.add("other", own);
    await write("other.html", "<b>theirs</b>");
    assert.deepEqual(await templates.get("other"), { ...own, html: "<b>theirs</b>" });
  });

  for (const [text, subject, body] of [
    ["Subject: Hello\n\nBody\n", "Hello", "Body\n"],
    ["subject:Hello\r\n\r\nBody", "Hello", "Body"],
    ["Subject: Hello\nBody", "Hello", "Body"],
    ["Subject: \n\nBody", "", "Body"],
    ["Body\nSubject: no", "welcome", "Body\nSubject: no"],
    ["", "welcome", ""],
  ] as const) {
    it(`have the subject ${JSON.stringify(subject)} for the theme's ${JSON.stringify(text)}`, async () => {
      await write("welcome.txt", text);
      assert.deepEqual(await templates.get("welcome"), { subject, text: body, html: "" });
    });
  }

  it("are taken from a theme's parent if the theme has none", async () => {
    const parent = join(folder.path, "parent", "emails");
    await mkdir(parent, { recursive: true });
    await writeFile(join(parent, "welcome.txt"), "Subject: Parent\n\ntext");
    await writeFile(join(parent, "welcome.html"), "<b>parent</b>");
    assert.deepEqual(await templates.get("welcome"), {
      subject: "Parent",
      text: "text",
      html: "<b>parent</b>",
    });
    await write("welcome.txt", "child");
    assert.deepEqual(await templates.get("welcome"), {
      subject: "welcome",
      text: "child",
      html: "",
    });
  });

  it("use a changed theme at the next mail", async () => {
    await write("welcome.txt", "one");
    assert.equal((await templates.get("welcome")).text, "one");
    await write("welcome.txt", "two");
    assert.equal((await templates.get("welcome")).text, "two");
  });

  for (const name of ["unknown", "", "../secret", "a/b", "..", "a.b", "A", "a\0", "__proto__"]) {
    it(`reject the name ${JSON.stringify(name)}`, async () => {
      await writeFile(join(folder.path, "theme", "secret.txt"), "canary");
      await assert.rejects(templates.get(name), { code: "ERR_EMAIL_TEMPLATE" });
    });
  }

  it("ignore a link out of the theme", async () => {
    await writeFile(join(folder.path, "secret"), "canary");
    await symlink(join(folder.path, "secret"), join(folder.path, "theme", "emails", "leak.txt"));
    await assert.rejects(templates.get("leak"), { code: "ERR_EMAIL_TEMPLATE" });
  });
});

const VALUES: Record<string, Record<string, string>> = {
  "magic-link": { site: "<My> Site", link: "https://x.example/a?b=1&c=2", minutes: "15" },
};

describe("built-in mail templates", () => {
  for (const [name, template] of Object.entries(builtInTemplates)) {
    const filled = fillTemplate(template, VALUES[name] ?? {});

    it(`${name} has no unfilled placeholder`, () => {
      assert.ok(!JSON.stringify(filled).includes("{{"));
    });

    it(`${name} contains every value in text and HTML`, () => {
      for (const key of Object.keys(VALUES[name] ?? {})) {
        assert.ok(template.text.includes(`{{${key}}}`) && template.html.includes(`{{${key}}}`));
      }
    });

    it(`${name} loads no external resources`, () => {
      assert.ok(!/<(img|script|link|iframe)\b|\bsrc=|url\(|@import/i.test(template.html));
    });
  }
});

const fill = (text: string, values: Record<string, string>) =>
  fillTemplate({ subject: text, text, html: text }, values);

describe("filled templates", () => {
  it("contain the value for every placeholder, with or without spaces", () => {
    const { subject, text, html } = fill("{{a}} {{ a }} {{\ta}}", { a: "x" });
    assert.deepEqual([subject, text, html], ["x x x", "x x x", "x x x"]);
  });

  it("escape values in HTML elements and attributes only", () => {
    const value = `<img src=x onerror="a('&')">`;
    const { text, html } = fill('<a title="{{site}}">{{site}}</a>', { site: value });
    assert.equal(text, `<a title="${value}">${value}</a>`);
    const escaped = "&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;";
    assert.equal(html, `<a title="${escaped}">${escaped}</a>`);
  });

  it("cannot break the subject into headers", () => {
    const { subject } = fill("Link for {{site}}", { site: "X\r\nBcc: evil@example.org\0" });
    assert.equal(subject, "Link for X Bcc: evil@example.org");
  });

  it("do not fill values again", () => {
    const { text } = fill("{{a}} {{b}}", { a: "{{b}}", b: "secret" });
    assert.equal(text, "{{b}} secret");
    assert.equal(fill("{{a}}", { a: "$& $1 $'" }).text, "$& $1 $'");
  });

  for (const text of [
    "{{unknown}}",
    "{{constructor}}",
    "{{__proto__}}",
    "{{toString}}",
    "{{a.b}}",
    "{{1a}}",
    "{ {a} }",
    "{{a",
    "{{}}",
  ]) {
    it(`keep ${text} unchanged`, () => {
      assert.equal(fill(text, { a: "x" }).text, text);
    });
  }

  it("accept an empty value", () => {
    assert.equal(fill("[{{a}}]", { a: "" }).html, "[]");
  });
});
