// Who may import whom. Every rule's comment says what to do instead; `npm run check:imports` prints it.
const bundled = require("../../scripts/bundled-packages.json");

// Packages that belong behind an engine: only files in an `engines/` room may name them.
const engineLibraries = [
  "aws4fetch",
  "better-sqlite3",
  "connect-redis",
  "lunr",
  "nodemailer",
  "pg",
  "rate-limit-redis",
  "redis",
  "sharp",
  "stripe",
];

// `import type` and `typeof import("x")`.
const typesOnly = ["type-only", "type-import"];

const packagePath = (names) => `^node_modules/(@types/)?(${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "lib-knows-no-site",
      severity: "error",
      comment:
        "lib/ is code for any program: hand it what it needs as an argument; it knows no site, settings or plugin",
      from: { path: "^lib/" },
      to: { path: "^(kernel|plugins|themes|content)/" },
    },
    {
      name: "browser-rooms-without-node",
      severity: "error",
      comment: "this room of lib/ runs in browsers too: no modules of Node.js",
      from: { path: "^lib/(dates|errors|front-matter|html|schema|text|toml|urls|values|yaml)/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "yaml-stays-in-lib",
      severity: "error",
      comment:
        "read YAML with readYaml or parseYamlSource of #lib/yaml, change it with editYaml: they have limits, one schema of scalars, positions and plain words for mistakes, and edits keep all other bytes",
      // Tests read what the site wrote with the package itself: a second opinion.
      from: { path: "^(kernel|lib|plugins|themes|bench|scripts)/", pathNot: "^lib/yaml/" },
      to: { path: packagePath(["yaml"]) },
    },
    {
      name: "kernel-without-drivers",
      severity: "error",
      comment:
        "the types of #lib/databases name optional packages, which a site without a database does not install: keep them out of the public types of the kernel",
      from: { path: "^kernel/" },
      to: { path: "^lib/databases/" },
    },
    {
      name: "lib-rooms-through-index",
      severity: "error",
      comment: "import another room of lib/ as #lib/<room>",
      from: { path: "^lib/([^/]+)/" },
      to: { path: "^lib/", pathNot: ["^lib/$1/", "^lib/[^/]+/(?:index|reading)\\.ts$"] },
    },
    {
      name: "lib-through-index",
      severity: "error",
      comment: "import from #lib/<room>; what its index.ts does not export is private",
      from: { path: "^(kernel|plugins|themes|bench|scripts)/" },
      to: { path: "^lib/", pathNot: "^lib/[^/]+/(?:index|reading)\\.ts$" },
    },
    {
      name: "kernel-knows-no-feature",
      severity: "error",
      comment:
        "the kernel serves any set of plugins: move the feature to its plugin and let that register a hook, service, engine or route; only plugins/main.ts, the list of first-party plugins, is reached from here",
      from: { path: "^kernel/" },
      to: { path: "^(plugins|themes|content)/", pathNot: "^plugins/main\\.ts$" },
    },
    {
      name: "kernel-imports-siblings",
      severity: "error",
      comment: "kernel/index.ts is for others: import the sibling file that defines the name",
      from: { path: "^kernel/" },
      to: { path: "^kernel/index\\.ts$" },
    },
    {
      name: "kernel-through-index",
      severity: "error",
      comment:
        "import from #kernel (tests and suites: #testing), as other authors do from sitewright; what only one plugin needs lives in that plugin, what needs no site in a room of lib/",
      from: {
        path: "^(plugins|themes)/",
        // Has a rule of its own.
        pathNot: "^plugins/panel/client/",
      },
      to: { path: "^kernel/", pathNot: "^kernel/(testing/)?index\\.ts$" },
    },
    {
      name: "plugins-use-services",
      severity: "error",
      comment:
        'reach another plugin at run time with site.use("name") or a hook; of its files only contract.ts may be imported, as types',
      from: { path: "^plugins/([^/]+)/", pathNot: "^plugins/[^/]+/(templates|scaffold)/" },
      to: {
        path: "^plugins/",
        pathNot: ["^plugins/$1/", "^plugins/[^/]+/(?:browser-)?contract\\.ts$"],
      },
    },
    {
      name: "scaffolds-use-public-modules",
      severity: "error",
      comment:
        "what commands write for others imports what others have: sitewright, its subpaths and packages",
      from: { path: "^plugins/[^/]+/scaffold/" },
      to: {
        path: "^(kernel|plugins|themes)/",
        pathNot: [
          "^kernel/index\\.ts$",
          "^plugins/(main|testing)\\.ts$",
          "^plugins/render/theme-api/index\\.ts$",
        ],
      },
    },
    {
      name: "templates-use-theme-api",
      severity: "error",
      comment: "a plugin's templates import #theme and their own plugin, nothing of another plugin",
      from: { path: "^plugins/([^/]+)/templates/" },
      to: {
        path: "^plugins/",
        pathNot: [
          "^plugins/$1/",
          "^plugins/[^/]+/(?:browser-)?contract\\.ts$",
          "^plugins/render/theme-api/index\\.ts$",
        ],
      },
    },
    {
      name: "contracts-of-others-as-types",
      severity: "error",
      comment: "write `import type`: a contract has no run time",
      from: { path: "^plugins/([^/]+)/" },
      to: {
        path: "^plugins/[^/]+/(?:browser-)?contract\\.ts$",
        pathNot: "^plugins/$1/",
        dependencyTypesNot: typesOnly,
      },
    },
    {
      name: "contract-is-types",
      severity: "error",
      comment:
        "contract.ts holds types only: write `import type`, move values to the file that uses them",
      from: { path: "^plugins/[^/]+/(?:(?:browser-)?contract\\.ts$|contract/)" },
      to: { dependencyTypesNot: typesOnly },
    },
    {
      name: "contract-is-a-leaf",
      severity: "error",
      comment:
        "a contract stands on #kernel, other contracts, its own settings, schemas and packages: declare the type in the contract and let the implementation import it",
      from: { path: "^plugins/[^/]+/(?:(?:browser-)?contract\\.ts$|contract/)" },
      to: {
        path: "^(plugins|themes|kernel)/",
        pathNot: [
          "^kernel/index\\.ts$",
          "^plugins/[^/]+/((?:browser-)?contract|contract/[^/]+|settings)\\.ts$",
          "^plugins/[^/]+/schemas[/.]",
        ],
      },
    },
    {
      name: "schemas-are-data",
      severity: "error",
      comment:
        "the panel infers its types from the schemas of routes: they stand on zod, rooms of lib/ for browsers and each other",
      from: { path: "^plugins/([^/]+)/schemas[/.]" },
      to: { path: "^(kernel|plugins|themes)/", pathNot: "^plugins/$1/schemas[/.]" },
    },
    {
      name: "engine-is-independent",
      severity: "error",
      comment:
        "an engine stands on its contract, its one library and the plugin's pure files: hand it settings, services and what a request said when it is made or called",
      from: { path: "^plugins/([^/]+)/engines/" },
      to: { path: "^plugins/$1/(index\\.ts|settings\\.ts|params\\.ts|routes|middleware\\.ts)" },
    },
    {
      name: "library-behind-its-engine",
      severity: "error",
      comment:
        "only the engine in plugins/*/engines/ names this library: put the code behind the engine's contract",
      // lib/files/sqlite.ts chooses between node:sqlite and the package for all engines;
      // lib/databases/redis-connection.ts and lib/databases/postgres-pool.ts connect for all engines.
      from: {
        path: "^(kernel|plugins|themes)/",
        pathNot: [
          "^plugins/[^/]+/engines/",
          "^lib/files/sqlite\\.ts$",
          "^lib/databases/(redis-connection|postgres-pool)\\.ts$",
        ],
      },
      to: { path: packagePath(engineLibraries) },
    },
    {
      name: "results-in-the-cache",
      severity: "error",
      comment:
        "results go in a space of site.cache, which has limits, tags and figures; what must not be dropped goes in a BoundedMap (content/05.operate/10.caching)",
      // Holds the last good version of pages, which clearing the caches must not drop.
      from: {
        path: "^(kernel|plugins|themes)/",
        pathNot: "^plugins/content/view/page-loader\\.ts$",
      },
      to: { path: packagePath(["lru-cache"]) },
    },
    {
      name: "express-stays-in-http",
      severity: "error",
      comment:
        "HTTP belongs in routes.ts, routes/ or middleware.ts (kernel: kernel/http/): hand the logic plain values",
      from: {
        path: "^(kernel|plugins|themes)/",
        pathNot: [
          "^kernel/http/",
          "^kernel/contracts/(hooks|http)\\.ts$",
          "^plugins/[^/]+/(routes/|middleware\\.ts$)",
          "^plugins/[^/]+/[^/]*routes\\.tsx?$",
          // Types of hook payloads that carry a request.
          "^plugins/[^/]+/(?:(?:browser-)?contract\\.ts$|contract/)",
        ],
      },
      to: {
        path: packagePath([
          "express",
          "express-session",
          "express-rate-limit",
          "express-serve-static-core",
        ]),
      },
    },
    {
      name: "themes-use-theme-api",
      severity: "error",
      comment:
        "a theme imports #theme and its own files: ask for what is missing to be exported by #theme",
      from: { path: "^themes/([^/]+)/" },
      to: {
        pathNot: ["^themes/$1/", "^plugins/render/theme-api/index\\.ts$", "^node_modules/preact/"],
      },
    },
    {
      name: "main-names-the-plugins",
      severity: "error",
      comment:
        "plugins/main.ts is the only list of plugins: use the service, or import the file that defines the name",
      from: { path: "^(kernel|plugins|themes)/", pathNot: "^plugins/main\\.ts$" },
      to: { path: "^plugins/[^/]+/index\\.ts$" },
    },
    {
      name: "production-without-tests",
      severity: "error",
      comment:
        "what ships imports no test, benchmark or script: move what both need to where it belongs",
      from: { path: "^(kernel|lib|plugins|themes)/" },
      to: { path: "^(test|bench|scripts)/" },
    },
    {
      name: "production-without-dev-packages",
      severity: "error",
      comment:
        "list the package in dependencies, or as an optional peer that is loaded when first needed",
      from: {
        path: "^(kernel|lib|plugins|themes)/",
        // Bundled into the package.
        pathNot: "^plugins/panel/client/",
      },
      to: {
        dependencyTypes: ["npm-dev"],
        // Bundled into dist/.
        pathNot: packagePath(bundled),
        dependencyTypesNot: [...typesOnly, "npm-peer", "npm-optional"],
      },
    },
    {
      name: "panel-client-is-browser-code",
      severity: "error",
      comment:
        "the panel's browser code stands on its own files and packages, and on the rooms of lib/ that run in browsers, so that browser and server read a name or a table alike: what it needs of the server comes through the admin API, whose types it imports from a contract.ts",
      from: { path: "^plugins/panel/client/" },
      to: {
        path: "^(kernel|plugins|themes)/",
        pathNot: ["^plugins/panel/client/", "^plugins/[^/]+/(?:browser-)?contract\\.ts$"],
      },
    },
    {
      name: "panel-client-is-bundled",
      severity: "error",
      comment: "code of the server does not import the panel's browser code",
      from: { path: "^(kernel|plugins|themes)/", pathNot: "^plugins/panel/client/" },
      to: { path: "^plugins/panel/client/" },
    },
    {
      name: "listed-packages-only",
      severity: "error",
      comment: "list the package in package.json: what others bring along may leave with them",
      from: {},
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown"],
        // A package that is a peer and a dev dependency has npm-no-pkg beside both.
        dependencyTypesNot: ["npm", "npm-dev", "npm-peer"],
      },
    },
    {
      name: "resolvable",
      severity: "error",
      comment:
        "the file or package does not exist: correct the path (imports carry .js), or list the package",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "specs-are-independent",
      severity: "error",
      comment: "a spec imports no spec: move what both use to test/support/",
      from: { path: "\\.test\\.tsx?$" },
      to: { path: "\\.test\\.tsx?$" },
    },
    {
      name: "no-cycle",
      severity: "error",
      comment:
        "cut the circle, types included: move what both sides need to a file that imports neither",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphan",
      severity: "error",
      comment: "nothing imports this file and it imports nothing: use it or delete it",
      from: {
        orphan: true,
        path: "^(kernel|lib|plugins|themes)/",
        // A contract may do nothing but merge its types into the kernel's.
        // A scaffold is written into the folders of others.
        pathNot: [
          "^themes/[^/]+/(assets|static)/",
          "^plugins/[^/]+/(?:browser-)?contract\\.ts$",
          "^plugins/[^/]+/scaffold/",
        ],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|coverage)/" },
    // Type imports count: a cycle of types is a cycle.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".d.ts", ".json"],
    },
  },
};
