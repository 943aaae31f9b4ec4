import assert from "node:assert/strict";
import type { Logger } from "#kernel";
import { bootSite, type TestSite } from "../../support/boot-site.js";

describe("rendering a template", () => {
  let site: TestSite;
  afterEach(() => site.close());

  const logged = async (template: string): Promise<string> => {
    const lines: string[] = [];
    const note = (event: string, fields?: Record<string, unknown>): void => {
      lines.push(`${event} ${JSON.stringify(fields)}`);
    };
    const log: Logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: note,
      error: note,
      child: () => log,
    };
    site = await bootSite({
      log,
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "content/01.home/default.md": "# Hi",
        "themes/mine/templates/default.tsx": template,
      },
    });
    const response = await site.fetch("/");
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /ERR_|default\.tsx|boom/);
    return lines.join("\n");
  };

  it("logs a template that throws by its name and reason, and tells the visitor neither", async () => {
    const log = await logged("export default () => { throw new Error('boom'); };\n");
    assert.match(log, /ERR_TEMPLATE_RENDER.*default.*boom/);
  });

  it("logs file and line of a template that does not compile", async () => {
    assert.match(await logged("export default () => <p>\n"), /ERR_TEMPLATE_LOAD.*default\.tsx/);
  });

  it("logs a template without a component", async () => {
    assert.match(await logged("export const page = 1;\n"), /ERR_TEMPLATE_INVALID/);
  });
});
