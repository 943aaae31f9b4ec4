import assert from "node:assert/strict";
import type { Logger } from "#kernel";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

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

  it("logs name, reason, file and line of a template that throws, and shows the visitor none of them", async () => {
    const log = await logged("export default () => {\n  throw new Error('boom');\n};\n");
    assert.match(log, /ERR_TEMPLATE_RENDER.*default.*boom/);
    assert.match(log, /themes\/mine\/templates\/default\.tsx:2:/);
  });

  it("logs file and line of a template that does not compile", async () => {
    assert.match(await logged("export default () => <p>\n"), /ERR_TEMPLATE_LOAD.*default\.tsx/);
  });

  it("logs a template without a component", async () => {
    assert.match(await logged("export const page = 1;\n"), /ERR_TEMPLATE_INVALID/);
  });
});

describe("a document that is rendered again", () => {
  const page = { title: "", times: 0 };
  Object.assign(globalThis, { pageOfTest: page });
  const template = `export default ({ page: { html } }) => {
    const title = globalThis.pageOfTest.title;
    globalThis.pageOfTest.times += 1;
    const body = <body dangerouslySetInnerHTML={{ __html: html }} />;
    return <html><head><title>{title}</title></head>{body}</html>;
  };`;

  it("has the same bytes when its template renders the same, and others when it does not", async () => {
    const bodies: (string | Buffer)[] = [];
    const site = await bootSite({
      env: { SITE_ENV: "production" },
      files: {
        "site.yaml": "title: Test\ntheme: { name: mine }\n",
        "content/01.home/default.md": `# Hi\n\n${"word ".repeat(200)}`,
        "themes/mine/templates/default.tsx": template,
      },
      extraPlugins: [
        {
          name: "probe",
          version: "1.0.0",
          setup: ({ http }) => http.filter((_req, _res, { body }) => void bodies.push(body)),
        },
      ],
    });
    const tags: (string | null)[] = [];
    for (page.title of ["one", "two", "one"]) {
      const answer = await site.fetch("/", { headers: { Cookie: "site_visitor=1" } });
      assert.ok((await answer.text()).includes(`<title>${page.title}</title>`));
      tags.push(answer.headers.get("etag"));
    }
    await site.close();
    assert.equal(page.times, 3);
    assert.equal(bodies[0], bodies[2]);
    assert.ok(tags[0] === tags[2] && tags[0] !== tags[1]);
  });
});
