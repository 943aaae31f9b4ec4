import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ModuleLoader } from "#lib/modules";
import { TemplateLoader, Templates } from "../../../../plugins/render/theme/templates.js";
import { renderComponent } from "../../../../plugins/render/page/render-html.js";
import { packagedThemeFolder } from "../../../../plugins/render/theme/theme.js";
import { useFolder } from "../../../support/folder.js";

describe("Templates", () => {
  const folder = useFolder();
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  };
  const open = (): { templates: Templates; loader: TemplateLoader } => {
    const modules = new ModuleLoader(folder.path, join(folder.path, "cache"));
    modules.provide("preact/jsx-runtime", () => import("preact/jsx-runtime"));
    const loader = new TemplateLoader(folder.path, modules);
    const themes = ["child", "parent"].map((name) => join(folder.path, name));
    const plugins = [join(folder.path, "plugin")];
    return { templates: new Templates(loader, { themes, plugins }), loader };
  };
  const html = async (templates: Templates, name: string): Promise<string | null> => {
    const component = await templates.get(name);
    return component === null ? null : renderComponent(component, {});
  };
  const says = (text: string): string => `export default () => <p>${text}</p>;\n`;

  it("uses the child's template, then the parent's, then a plugin's", async () => {
    await put("child/templates/a.tsx", says("child a"));
    await put("parent/templates/a.tsx", says("parent a"));
    await put("parent/templates/b.tsx", says("parent b"));
    await put("plugin/b.tsx", says("plugin b"));
    await put("plugin/auth/c.tsx", says("plugin c"));
    const { templates } = open();
    assert.deepEqual(templates.names, ["a", "auth/c", "b"]);
    assert.equal(await html(templates, "a"), "<p>child a</p>");
    assert.equal(await html(templates, "b"), "<p>parent b</p>");
    assert.equal(await html(templates, "auth/c"), "<p>plugin c</p>");
  });

  it("resolves imports of other components, written with their compiled names", async () => {
    await put("child/components/part.tsx", `export const Part = () => <b>part</b>;\n`);
    await put(
      "child/templates/a.tsx",
      `import { Part } from "../components/part.js";\nexport default () => <p><Part /></p>;\n`,
    );
    assert.equal(await html(open().templates, "a"), "<p><b>part</b></p>");
  });

  for (const name of [
    "../secret",
    "a.tsx",
    "/etc/passwd",
    "",
    "a\0b",
    "__proto__",
    "constructor",
  ]) {
    it(`has no template named ${JSON.stringify(name)}`, async () => {
      await put("secret.tsx", says("secret"));
      await put("child/templates/a.tsx", says("a"));
      const { templates } = open();
      assert.equal(templates.has(name), false);
      assert.equal(await templates.get(name), null);
    });
  }

  it("reads a template again that did not compile", async () => {
    await put("child/templates/a.tsx", "export default () => <p>;\n");
    const { templates, loader } = open();
    await assert.rejects(templates.get("a"), { code: "ERR_TEMPLATE_LOAD", message: /a\.tsx/ });
    await put("child/templates/a.tsx", says("repaired"));
    await loader.invalidate();
    assert.equal(await html(templates, "a"), "<p>repaired</p>");
    assert.equal(await templates.layout(), null);
  });

  it("loads every template of the packaged theme", async () => {
    const modules = new ModuleLoader(folder.path, join(folder.path, "cache"));
    const loader = new TemplateLoader(folder.path, modules);
    const templates = new Templates(loader, { themes: [packagedThemeFolder()], plugins: [] });
    const names = [
      "auth/account",
      "auth/login",
      "author",
      "blog",
      "default",
      "docs",
      "error",
      "errors/403",
      "flex/detail",
      "flex/list",
      "form",
    ];
    assert.deepEqual(templates.names, [
      ...names,
      "item",
      "landing",
      "listing",
      "post",
      "project",
      "projects",
      "search",
    ]);
    for (const name of templates.names) assert.notEqual(await templates.get(name), null);
  });
});
