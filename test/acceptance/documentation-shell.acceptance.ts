import { join } from "node:path";
import { repository } from "../support/repository.js";
import { copyInto, home } from "./home.js";
import { runPages } from "./served-pages.js";
import { OWN_SITES, pages, READER_PAGES } from "./shell-pages.js";

describe("the shell blocks about the site of the documentation", function () {
  this.timeout(150_000);
  const root = join(home, "documentation");
  before(async () => {
    for (const part of ["content", "blueprints", "search"])
      await copyInto(root, part, join(repository, part));
    for (const file of ["site.yaml", "system.yaml", "admin.yaml"])
      await copyInto(root, file, join(repository, file));
  });

  runPages(
    () => root,
    pages.filter((page) => !(page in OWN_SITES) && !READER_PAGES.includes(page)),
  );
});
