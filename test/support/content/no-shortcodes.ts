import { FieldKinds } from "#kernel";
import { PageProblems } from "../../../plugins/markdown/links/page-problems.js";
import { contentTree } from "./markdown-pages.js";
import { Shortcodes } from "../../../plugins/markdown/shortcodes/shortcodes.js";
import { testCaches } from "../test-caches.js";

/** The shortcodes of a site without any. */
export function noShortcodes(): Shortcodes {
  const content = contentTree([], {});
  const problems = new PageProblems({ code: "ERR_TEST", content, log: () => undefined });
  return new Shortcodes({ kinds: new FieldKinds(), cache: testCaches(), problems });
}
