import { FieldKinds } from "#kernel";
import { PageProblems } from "../../../plugins/markdown/links/problems.js";
import { contentTree } from "./markdown-pages.js";
import { Shortcodes } from "../../../plugins/markdown/shortcodes.js";
import { testCaches } from "../test-caches.js";

/** The shortcodes of a site without any. */
export function noShortcodes(): Shortcodes {
  const content = contentTree([], {});
  const problems = new PageProblems({ code: "ERR_TEST", content, log: () => undefined });
  return new Shortcodes({ kinds: new FieldKinds(), cache: testCaches(), problems });
}
