import { readFileSync } from "node:fs";
import { adminRouteTable } from "./admin-routes.js";
import { commandReference } from "./commands.js";
import { configurationTables } from "./configuration.js";
import { contractRules, rankingRules, searchRules, searchTypes } from "./contract-rules.js";
import { Contracts } from "./contracts.js";
import { errorEntries, errorRedirects } from "./error-entries.js";
import { exampleCode, exampleFiles } from "./examples.js";
import { hookEntries } from "./hooks.js";
import { libraryRooms } from "./library.js";
import { withSection } from "./marked-section.js";
import { withDocsSite, type DocsSite } from "./docs-site.js";
import { permissionTable } from "./permissions.js";
import { pluginTable } from "./plugins.js";
import {
  declarationEntries,
  contextEntries,
  engineEntries,
  extensionEntries,
  serviceEntries,
  serviceIndex,
} from "./reference.js";
import { routeReference } from "./routes.js";
import { SERVICE_PAGES } from "./service-pages.js";
import { TYPE_PAGES } from "./type-pages.js";
import { typeEntries, typeIndex } from "./types.js";

interface Section {
  page: string;
  name: string;
  make(root: string, open: DocsSite, contracts: Contracts): string | Promise<string>;
}

const SEARCH_ENGINE = "content/06.extend/05.search-engine/docs.md";
const CONFIGURATION = "content/05.operate/15.configuration/docs.md";

const SECTIONS: readonly Section[] = [
  { page: CONFIGURATION, name: "site.yaml", make: (_, open) => configurationTables(open, "site") },
  {
    page: CONFIGURATION,
    name: "system.yaml",
    make: (_, open) => configurationTables(open, "system"),
  },
  {
    page: CONFIGURATION,
    name: "admin.yaml",
    make: (_, open) => configurationTables(open, "admin"),
  },
  {
    page: "content/04.build/06.rest-api/docs.md",
    name: "routes",
    make: (_, open) => routeReference(open),
  },
  {
    page: "content/05.operate/17.admin/docs.md",
    name: "permissions",
    make: () => permissionTable(),
  },
  {
    page: "content/05.operate/17.admin/docs.md",
    name: "admin routes",
    make: (_, open) => adminRouteTable(open),
  },
  {
    page: "content/05.operate/16.command-line/docs.md",
    name: "commands",
    make: (_, open) => commandReference(open),
  },
  reference("docs.md", "context", contextEntries),
  reference("00.declaration/docs.md", "declaration", declarationEntries),
  {
    page: "content/06.extend/13.reference/06.library/docs.md",
    name: "rooms",
    make: (root) => libraryRooms(root),
  },
  reference("05.types/docs.md", "types", typeIndex),
  ...TYPE_PAGES.map((page) =>
    reference(`05.types/${page.folder}/docs.md`, "types", (contracts) =>
      typeEntries(contracts, page),
    ),
  ),
  reference("01.services/docs.md", "services", serviceIndex),
  ...SERVICE_PAGES.map((page) =>
    reference(`01.services/${page.folder}/docs.md`, "services", (contracts) =>
      serviceEntries(contracts, page),
    ),
  ),
  reference("02.engines/docs.md", "engines", engineEntries),
  reference("03.extensions/docs.md", "extensions", extensionEntries),
  reference("04.hooks/docs.md", "hooks", hookEntries),
  {
    page: SEARCH_ENGINE,
    name: "search types",
    make: (_root, _open, contracts) => searchTypes(contracts),
  },
  { page: SEARCH_ENGINE, name: "search rules", make: () => searchRules() },
  { page: SEARCH_ENGINE, name: "ranking rules", make: () => rankingRules() },
  { page: "content/06.extend/10.testing/docs.md", name: "rules", make: () => contractRules() },
  { page: "content/06.extend/09.errors/docs.md", name: "errors", make: errorEntries },
  { page: "site.yaml", name: "errors", make: errorRedirects },
  { page: "plugins/README.md", name: "plugins", make: pluginTable },
  ...exampleFiles.map(({ page, name }) => ({
    page,
    name,
    make: (root: string) => exampleCode(root, name),
  })),
];

/** Every file with generated sections, as it should be: path below the repository to text. */
export function generatedPages(root: string): Promise<ReadonlyMap<string, string>> {
  return withDocsSite(async (open) => {
    const pages = new Map<string, string>();
    const contracts = new Contracts(root);
    for (const { page, name, make } of SECTIONS) {
      const text = pages.get(page) ?? readFileSync(`${root}/${page}`, "utf8");
      pages.set(page, withSection(text, name, await make(root, open, contracts)));
    }
    return pages;
  });
}

/** A section of the reference, which has a page for each: one page would take too long to render. */
function reference(page: string, name: string, make: (contracts: Contracts) => string): Section {
  const folder = "content/06.extend/13.reference";
  return { page: `${folder}/${page}`, name, make: (_root, _open, contracts) => make(contracts) };
}
