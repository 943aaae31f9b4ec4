import type { EmailTemplate } from "./contract.js";

/** Built-in templates. Values of `magic-link`: `site`, `link`, `minutes`. */
export const builtInTemplates: Readonly<Record<string, EmailTemplate>> = {
  "magic-link": {
    subject: "Your login link for {{site}}",
    text: `Open this link to log in to {{site}}:

{{link}}

It works once, within {{minutes}} minutes. If you did not ask for it, ignore this mail.
`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Your login link for {{site}}</title></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>Open this link to log in to {{site}}:</p>
<p><a href="{{link}}" style="display: inline-block; padding: .6em 1.2em; background: #1d4ed8; color: #fff; border-radius: .3em; text-decoration: none">Log in</a></p>
<p style="word-break: break-all"><small>{{link}}</small></p>
<p>It works once, within {{minutes}} minutes. If you did not ask for it, ignore this mail.</p>
</body>
</html>
`,
  },
};
