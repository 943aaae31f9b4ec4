import { Html, lowerHeadings } from "#theme";
import type { ModuleProps } from "#theme";
import { Heading, moduleLanguage } from "../module-parts.js";
import { toText } from "../values.js";

/** Code next to what it does: `title` and `text`; the code is the body, or `code`. */
export default function Code(props: ModuleProps) {
  const { module } = props;
  const hasText = module.title !== "" || toText(module.data["text"]) !== "";
  return (
    <section class="module wrap" {...moduleLanguage(module)}>
      <div class={hasText ? "code-module has-text" : "code-module"}>
        {hasText && <About {...props} />}
        <Listing {...props} />
      </div>
    </section>
  );
}

function About({ module: { title, data }, level }: ModuleProps) {
  const text = toText(data["text"]);
  return (
    <div>
      {title !== "" && (
        <Heading level={level} class="module-title">
          {title}
        </Heading>
      )}
      {text !== "" && <p class="lede">{text}</p>}
    </div>
  );
}

function Listing({ module: { title, data, html }, level, t }: ModuleProps) {
  const code = toText(data["code"]);
  return (
    <div class="prose">
      {code !== "" && (
        <pre tabindex={0} role="group" aria-label={title || t("page.code", "Code")}>
          <code>{code}</code>
        </pre>
      )}
      {html !== "" && <Html html={lowerHeadings(html, title === "" ? level : level + 1)} />}
    </div>
  );
}
