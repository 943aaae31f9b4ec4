import assert from "node:assert/strict";
import { documentTitle } from "../../../../plugins/render/page/page-props.js";
import { bootSite } from "../../../support/sites/boot-site.js";
import { areAlike } from "../../../support/hidden-class.js";

describe("the props of a template", () => {
  it("keep one hidden class when a template passes them on with a kind and children", async () => {
    const seen: object[] = [];
    const site = await bootSite({
      files: { "content/01.home/default.md": "# Hi" },
      extraPlugins: [
        {
          name: "probe",
          version: "1.0.0",
          hooks: {
            onBeforeRender: ({ data: { props } }) => {
              for (const at of Array(30).keys())
                seen.push({ ...props, kind: "text", children: [at] });
            },
          },
        },
      ],
    });
    await site.fetch("/");
    await site.close();
    assert.equal(seen.length, 30);
    // V8 changes its mind once or twice while it learns the types of the fields.
    const changes = seen.filter((props, at) => at > 0 && !areAlike(props, seen[at - 1] ?? props));
    assert.ok(changes.length <= 3, `${changes.length} hidden classes`);
  });
});

describe("documentTitle", () => {
  it("contains the page title, then the site name, each once", () => {
    assert.equal(documentTitle("About", "Site"), "About | Site");
    assert.equal(documentTitle("Search: x | Site", "Site"), "Search: x | Site");
    assert.equal(documentTitle("Site", "Site"), "Site");
    assert.equal(documentTitle("", "Site"), "Site");
  });
});
