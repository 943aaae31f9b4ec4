import assert from "node:assert/strict";
import type { Answer, Body, Input, Route } from "../../../../plugins/panel/client/api/request.js";

describe("the schemas of the admin API", () => {
  it("give the panel its types: what does not fit a route does not compile", () => {
    const route: Route = "GET /pages/*path";
    // @ts-expect-error: no route has this address
    const unknown: Route = "GET /page/*path";
    const body: Body<"POST /workflow/transition"> = { path: "index.md", to: "draft" };
    // @ts-expect-error: no page has this status
    const wrong: Body<"POST /workflow/transition"> = { path: "index.md", to: "hidden" };
    const input: Input<"DELETE /trash/:id"> = { params: { id: "1" } };
    // @ts-expect-error: the address names another value
    const other: Input<"DELETE /trash/:id"> = { params: { name: "1" } };
    const status: Answer<"GET /pages/*path">["status"] = "archived";
    // @ts-expect-error: a dry run is not what the panel asks for
    const dry: Answer<"PUT /pages/*path"> = { dryRun: true, changes: [] };
    const values = [route, unknown, body, wrong, input, other, status, dry];
    assert.equal(values.length, 8);
  });
});
