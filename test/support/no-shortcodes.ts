import { FieldKinds } from "#kernel/internal";
import { ShortcodeProblems } from "../../plugins/markdown/shortcodes/shortcode-problems.js";
import { Shortcodes } from "../../plugins/markdown/shortcodes/shortcodes.js";
import { testCaches } from "./test-caches.js";

/** The shortcodes of a site without any. */
export function noShortcodes(): Shortcodes {
  const problems = new ShortcodeProblems(() => undefined);
  return new Shortcodes({ kinds: new FieldKinds(), cache: testCaches(), problems });
}
