import { writeSite } from "./home.js";
import { runPages } from "./served-pages.js";
import { READER_PAGES, readerSite } from "./shell-pages.js";

describe("the shell blocks about the site of a reader", function () {
  this.timeout(150_000);
  let root = "";
  before(async () => {
    root = await writeSite("reader", readerSite());
  });

  runPages(() => root, READER_PAGES);
});
