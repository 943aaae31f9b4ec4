import assert from "node:assert/strict";
import { z } from "zod";
import { useFolder } from "../../support/folder.js";
import { startWorkers } from "../../support/processes/site-workers.js";

const SITE = `title: Test
health_token: 0123456789abcdef
forms: { least_seconds: 0 }
`;
const shape = z.object({ token: z.string() });

describe("tokens of forms with several workers", () => {
  const folder = useFolder();

  it("are accepted by a worker that did not make them, and forged ones by none", async () => {
    const files = {
      "site.yaml": SITE,
      "forms/plain.yaml": "fields: { message: { type: text, required: true } }\n",
    };
    const server = await startWorkers({ root: folder.path, files });
    try {
      const [one, two] = await server.clients();
      assert.ok(one !== undefined && two !== undefined && one.pid !== two.pid);
      const { token } = shape.parse(JSON.parse((await one.send("GET", "/api/forms/plain")).text));
      const post = async (_token: string): Promise<number> => {
        const body = { message: "Hello", _token };
        return (await two.send("POST", "/forms/plain", { body })).status;
      };
      assert.equal(await post(token), 303);
      assert.equal(await post(`${token.slice(0, -4)}AAAA`), 422);
    } finally {
      await server.stop();
    }
  });
});
