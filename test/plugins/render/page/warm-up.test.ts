import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

describe("render: preloading after startup", () => {
  let site: TestSite;
  afterEach(() => site.close());

  it("loads a template of a page before the first request", async () => {
    const template = `
      globalThis.loadedEarly = true;
      export default () => <main>early</main>;
    `;
    site = await bootSite({ files: themed({ "templates/own.tsx": template }) });
    await until(() => Reflect.get(globalThis, "loadedEarly") === true);
    const file = join(site.root, "themes/mine/templates/own.tsx");
    writeFileSync(file, "export default () => <main>late</main>;");
    assert.match(await (await site.fetch("/")).text(), /early/);
  });

  it("serves other pages despite an invalid template", async () => {
    site = await bootSite({
      files: {
        ...themed({ "templates/own.tsx": "export default (" }),
        "content/02.a/plain.md": "# Plain",
      },
    });
    assert.equal((await site.fetch("/a")).status, 200);
  });

  function themed(files: Record<string, string>): Record<string, string> {
    const theme = Object.entries(files).map(([file, text]) => [`themes/mine/${file}`, text]);
    return {
      "site.yaml": "title: T\ntheme: { name: mine }",
      "themes/mine/theme.yaml": "name: mine\nparent: default",
      "content/01.home/default.md": "---\ntitle: Home\ntemplate: own\n---\n",
      ...Object.fromEntries(theme),
    };
  }
});
