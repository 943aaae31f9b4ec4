import { SIDEBAR_FILE, SIDEBAR_FIX, type SidebarFile } from "./sidebar-file.js";
import type { ContentProblem, ContentService } from "../../content/contract.js";

const FOUND = { sourcePath: SIDEBAR_FILE, code: "ERR_SIDEBAR_FILE" } as const;

/** The mistakes in `sidebar.yaml`, and the pages in it that do not exist. */
export function problemsOfSidebar(
  { mistakes, pages }: SidebarFile,
  { content, languages }: { content: ContentService; languages: readonly string[] },
): ContentProblem[] {
  const generation = content.generation();
  const missing = pages.filter(
    ({ route }) => !languages.some((lang) => generation.at(route, lang) !== undefined),
  );
  return [
    ...mistakes.map((mistake): ContentProblem => {
      return { ...FOUND, ...mistake, severity: "error", fix: SIDEBAR_FIX };
    }),
    ...missing.map(({ route, ...line }): ContentProblem => {
      const message = `the page ${JSON.stringify(route)} does not exist`;
      const fix = "correct the route, or remove the entry; until then it is left out";
      return { ...FOUND, ...line, severity: "warning", message, fix };
    }),
  ];
}
