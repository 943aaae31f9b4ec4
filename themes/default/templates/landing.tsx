import { Picture } from "#theme";
import type { PageView, TemplateProps } from "#theme";
import { Icon } from "../components/icon.js";
import { PageList } from "../components/page-list.js";
import { hasOwnTitle, Prose } from "../components/prose.js";

interface Action {
  label: string;
  url: string;
}

/** A home page: `hero` (title, text, actions, image) and `features` of the front matter, then the body. */
export default function Landing(props: TemplateProps) {
  const { Layout, page, collection, t, lang } = props;
  if (page === null) return <Layout {...props} />;
  const features = listOf(page.frontmatter["features"]);
  return (
    <Layout {...props} kind="landing">
      <Hero {...props} />
      {features.length > 0 && (
        <section class="wrap" aria-label={t("landing.features", "Features")}>
          <ul class="features">
            {features.map((feature) => (
              <li key={textOf(feature["title"])}>
                <h2>{textOf(feature["title"])}</h2>
                <p>{textOf(feature["text"])}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="wrap column">
        <Prose page={page} />
      </div>
      {collection !== undefined && (
        <section class="wrap listing" aria-labelledby=":latest">
          <h2 id=":latest">{t("landing.latest", "Latest")}</h2>
          <PageList items={collection.items} lang={lang} t={t} />
        </section>
      )}
    </Layout>
  );
}

function Hero({ page, site, href }: TemplateProps) {
  if (page === null) return null;
  const hero = objectOf(page.frontmatter["hero"]);
  const image = heroImage(page, textOf(hero["image"]));
  const Name = hasOwnTitle(page) ? "p" : "h1";
  return (
    <section class={image === null ? "hero" : "hero has-image"}>
      <div class="wrap">
        <div class="hero-text">
          <Name class="hero-title">{textOf(hero["title"]) || page.title}</Name>
          <p class="lede">{textOf(hero["text"]) || site.description}</p>
          <Actions actions={listOf(hero["actions"]).map(toAction)} href={href} />
        </div>
        {image !== null && (
          <Picture
            {...image}
            class="hero-image"
            alt=""
            sizes="(max-width: 60rem) 100vw, 40rem"
            eager
          />
        )}
      </div>
    </section>
  );
}

function heroImage(page: PageView, name: string) {
  if (name === "") {
    return page.image === null ? null : { src: page.image, attributes: page.imageAttributes };
  }
  const item = page.media.find((file) => file.name === name);
  return { src: item?.url ?? name, attributes: item?.attributes ?? {} };
}

function Actions({ actions, href }: { actions: readonly Action[]; href: TemplateProps["href"] }) {
  if (actions.length === 0) return null;
  return (
    <p class="actions">
      {actions.map((action, index) => (
        <a
          key={action.url}
          class={index === 0 ? "button primary" : "button"}
          href={href(action.url)}
        >
          {action.label}
          {index === 0 && <Icon name="arrow" />}
        </a>
      ))}
    </p>
  );
}

function toAction(value: Record<string, unknown>): Action {
  const url = textOf(value["url"]);
  return { label: textOf(value["label"]), url: /^(?:\/|#|https?:|mailto:)/i.test(url) ? url : "/" };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
