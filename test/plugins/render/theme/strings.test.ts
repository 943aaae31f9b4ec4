import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { textDirection, ThemeStrings } from "../../../../plugins/render/theme/strings.js";
import { useFolder } from "../../../support/folder.js";

describe("ThemeStrings", () => {
  const folder = useFolder();
  const locale = async (theme: string, lang: string, text: string): Promise<void> => {
    await mkdir(join(folder.path, theme, "locales"), { recursive: true });
    await writeFile(join(folder.path, theme, "locales", `${lang}.json`), text);
  };
  const chain = () =>
    new ThemeStrings([join(folder.path, "child"), join(folder.path, "parent")], silentLog);

  it("prefers a child's string over its parent's, and the language over English", async () => {
    await locale("parent", "en", `{"a":"parent en","b":"parent en","c":"parent en"}`);
    await locale("parent", "de", `{"a":"parent de"}`);
    await locale("child", "en", `{"b":"child en"}`);
    const t = chain().of("de");
    assert.deepEqual([t("a"), t("b"), t("c")], ["parent de", "child en", "parent en"]);
  });

  it("uses the strings of a language for its regions", async () => {
    await locale("parent", "de", `{"a":"hallo"}`);
    assert.equal(chain().of("de-AT")("a"), "hallo");
  });

  it("reads nested keys with dots", async () => {
    await locale("child", "en", `{"nav":{"menu":"Menu"}}`);
    assert.equal(chain().of("en")("nav.menu"), "Menu");
  });

  it("returns the fallback, else the key, for a missing string", () => {
    assert.equal(chain().of("en")("no.such", "fallback"), "fallback");
    assert.equal(chain().of("en")("no.such"), "no.such");
  });

  it("skips an invalid file", async () => {
    await locale("child", "en", `{"a":`);
    assert.equal(chain().of("en")("a", "fallback"), "fallback");
  });
});

describe("directionOf", () => {
  it("returns rtl for right-to-left languages", () => {
    for (const lang of ["ar", "he", "fa", "ur", "ar-EG"]) assert.equal(textDirection(lang), "rtl");
    for (const lang of ["en", "de", "ja", "art"]) assert.equal(textDirection(lang), "ltr");
  });
});
