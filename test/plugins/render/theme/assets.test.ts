import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ThemeAssets, mediaType } from "../../../../plugins/render/theme/assets.js";
import { useFolder } from "../../../support/folder.js";

describe("ThemeAssets", () => {
  const folder = useFolder();
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  };
  const chain = () =>
    new ThemeAssets(["child", "parent"].map((name) => ({ name, folder: join(folder.path, name) })));

  it("returns the nearest theme's file, with a hash of its bytes", async () => {
    await put("parent/static/a.css", "one");
    const before = chain().url("a.css");
    assert.match(before, /^\/themes\/parent\/static\/a\.css\?v=[0-9a-f]{12}$/);
    await put("parent/static/a.css", "two");
    assert.notEqual(chain().url("a.css"), before);
    await put("child/static/a.css", "three");
    assert.match(chain().url("/static/a.css"), /^\/themes\/child\//);
  });

  it("returns an address without a hash for a missing file", () => {
    assert.equal(chain().url("no.css"), "/themes/child/static/no.css");
  });

  it("serves a parent's file under the child's name", async () => {
    await put("parent/static/img/a.png", "x");
    assert.equal(chain().get("child", "img/a.png")?.type, "image/png");
    assert.equal(chain().get("unknown", "img/a.png"), null);
  });

  it("excludes dotfiles and links", async () => {
    await put("child/static/.env", "SECRET=1");
    await put("child/static/.git/config", "x");
    await put("outside.css", "x");
    await symlink(join(folder.path, "outside.css"), join(folder.path, "child/static/link.css"));
    await symlink("/etc", join(folder.path, "child/static/etc"));
    assert.deepEqual(chain().list(), []);
  });
});

describe("typeOf", () => {
  it("adds the charset for text", () => {
    assert.equal(mediaType("a/b.css"), "text/css; charset=utf-8");
    assert.equal(mediaType("b.woff2"), "font/woff2");
    assert.equal(mediaType("b.unknown-kind"), "application/octet-stream");
  });
});
