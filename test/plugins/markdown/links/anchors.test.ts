import assert from "node:assert/strict";
import type { Properties, Root } from "hast";
import {
  defuseHeadingIds,
  prefixIds,
  repairAnchors,
  secureLinks,
} from "../../../../plugins/markdown/links/anchors.js";
import { ID_PREFIX } from "../../../../plugins/markdown/render/html/sanitize-schema.js";
import { h } from "../../../support/oracles/hast.js";

const tree = (...children: Root["children"]): Root => ({ type: "root", children });

/** The properties of an element after a step. */
function after(step: (root: Root) => void, name: string, properties: Properties): Properties {
  const element = { ...h(name), properties };
  step(tree(element));
  return element.properties;
}

describe("prefixIds", () => {
  const step = (root: Root): void => prefixIds(root, new Set(["mine"]));
  const cases: readonly (readonly [Properties, Properties])[] = [
    [{ id: "cookie" }, { id: `${ID_PREFIX}cookie` }],
    [{ name: "forms" }, { name: `${ID_PREFIX}forms` }],
    [{ id: `${ID_PREFIX}x` }, { id: `${ID_PREFIX}x` }],
    [{ id: "mine" }, { id: "mine" }],
    [{ ariaLabelledBy: ["a", "mine"] }, { ariaLabelledBy: [`${ID_PREFIX}a`, "mine"] }],
    [{ headers: ["a"] }, { headers: [`${ID_PREFIX}a`] }],
    [{ title: "a" }, { title: "a" }],
  ];
  for (const [properties, expected] of cases) {
    it(`turns ${JSON.stringify(properties)} into ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(after(step, "p", properties), expected);
    });
  }
});

describe("defuseHeadingIds", () => {
  for (const id of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    it(`prefixes ${id}`, () => {
      assert.equal(after(defuseHeadingIds, "h2", { id }).id, ID_PREFIX + id);
    });
  }
  it("does not change other ids", () => {
    assert.equal(after(defuseHeadingIds, "h2", { id: "build" }).id, "build");
  });
});

describe("repairAnchors", () => {
  function hrefAfter(href: string, ...ids: readonly string[]): unknown {
    const link = h("a", { href });
    repairAnchors(tree(link, ...ids.map((id) => h("p", { id }))));
    return link.properties.href;
  }

  for (const [href, ids, expected] of [
    ["#x", [`${ID_PREFIX}x`], `#${ID_PREFIX}x`],
    ["#x", ["x", `${ID_PREFIX}x`], "#x"],
    ["#x", [], "#x"],
    ["#%C3%BC", [`${ID_PREFIX}ü`], `#${ID_PREFIX}%C3%BC`],
    ["#%ZZ", [`${ID_PREFIX}x`], "#%ZZ"],
    ["/other#x", [`${ID_PREFIX}x`], "/other#x"],
  ] as const) {
    it(`points ${href} to ${expected} where there is ${ids.join(" and ") || "nothing"}`, () => {
      assert.equal(hrefAfter(href, ...ids), expected);
    });
  }

  it("finds names as well as ids", () => {
    const link = h("a", { href: "#x" });
    repairAnchors(tree(link, h("a", { name: `${ID_PREFIX}x` })));
    assert.equal(link.properties.href, `#${ID_PREFIX}x`);
  });
});

describe("secureLinks", () => {
  for (const [properties, rel] of [
    [{ href: "https://example.org" }, ["noopener"]],
    [{ href: "//example.org", rel: ["nofollow"] }, ["nofollow", "noopener"]],
    [{ href: "/a", target: "_blank" }, ["noopener", "noreferrer"]],
    [{ href: "https://example.org", target: "x", rel: "noopener" }, ["noopener", "noreferrer"]],
    [{ href: "/a" }, undefined],
    [{ href: "/a", target: "_self" }, undefined],
  ] as const) {
    it(`gives ${JSON.stringify(properties)} the rel ${JSON.stringify(rel)}`, () => {
      const link = h("a", {});
      Object.assign(link.properties, properties);
      secureLinks(tree(link));
      assert.deepEqual(link.properties.rel, rel);
    });
  }
});
