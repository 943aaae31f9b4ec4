import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "#lib/packages";
import { ModuleLoader } from "#lib/modules";
import { TemplateLoader } from "../../../../plugins/render/theme/templates.js";
import { packagedThemeFolder } from "../../../../plugins/render/theme/theme.js";
import { useFolder } from "../../../support/folder.js";

describe("TemplateLoader", () => {
  const folder = useFolder();
  const open = (root = folder.path) => {
    const asked: string[] = [];
    class Watched extends ModuleLoader {
      override load(file: string) {
        asked.push(file);
        return super.load(file);
      }
    }
    return {
      asked,
      loader: new TemplateLoader(root, new Watched(root, join(folder.path, "cache"))),
    };
  };

  it("imports the package's own templates without compiling them again", async () => {
    const { asked, loader } = open();
    const module = await loader.load(join(packagedThemeFolder(), "components", "icon.tsx"));
    assert.equal(typeof module["Icon"], "function");
    assert.deepEqual(asked, []);
  });

  it("loads a template of the package whose component was temporarily missing", async () => {
    const place = await mkdtemp(join(packageRoot(), "test", "tmp-theme-"));
    try {
      const [a, part] = [join(place, "a.tsx"), join(place, "part.tsx")];
      await writeFile(
        a,
        `import { cx } from "#theme";\nexport { part } from "./part.js";\nexport const a = cx("x");\n`,
      );
      const { loader } = open();
      await assert.rejects(loader.load(a), /part/);
      await assert.rejects(loader.load(a), /part/);
      await writeFile(part, "export const part: number = 2;\n");
      const { a: name, part: found } = await loader.load(a);
      assert.deepEqual([name, found], ["x", 2]);
    } finally {
      await rm(place, { recursive: true });
    }
  });

  it("loads a site's templates as modules of the site", async () => {
    const file = join(folder.path, "a.ts");
    await writeFile(file, "export const a: number = 1;\n");
    const { asked, loader } = open();
    assert.equal((await loader.load(file))["a"], 1);
    assert.deepEqual(asked, [file]);
  });

  it("reads a file again after a cache reset", async () => {
    const file = join(folder.path, "a.ts");
    const { loader } = open();
    await writeFile(file, "export const a: number = 1;\n");
    await loader.load(file);
    await writeFile(file, "export const a: number = 2;\n");
    assert.equal((await loader.load(file))["a"], 1);
    await loader.invalidate();
    assert.equal((await loader.load(file))["a"], 2);
  });
});
