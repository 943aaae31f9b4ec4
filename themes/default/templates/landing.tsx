import { addressIn, Picture } from "#theme";
import type { PageView, TemplateProps } from "#theme";
import { Actions } from "../components/actions.js";
import { HERO_SIZES } from "../components/module-parts.js";
import { hasModules, PageList } from "../components/page-list.js";
import { opensWithHero, PageModules } from "../components/page-modules.js";
import { hasOwnTitle, Prose } from "../components/prose.js";
import { listOf, toObject, toText } from "../components/values.js";

const SCREENSHOT_SIZES = "auto, (max-width: 78rem) 92vw, 72rem";

/**
 * A home page: `hero` (title, text, command, actions, image), `screenshot` (image, dark, alt, caption), `numbers` and `features` of the front matter, then
 * the body and the modules. Without `hero`, a first module `hero` opens the page.
 */
export default function Landing(props: TemplateProps) {
  const { Layout, page, collection, t, lang, href } = props;
  if (page === null) return <Layout {...props} />;
  const features = listOf(page.frontmatter["features"]);
  const isModular = page.frontmatter["hero"] === undefined && opensWithHero({ ...props, page });
  return (
    <Layout {...props} kind="landing">
      {!isModular && <Hero {...props} />}
      <Screenshot page={page} />
      <Numbers {...props} page={page} />
      {features.length > 0 && (
        <section class="wrap" aria-label={t("landing.features", "Features")}>
          <ul class="features">
            {features.map((feature) => (
              <li key={toText(feature["title"])}>
                <h2>
                  <FeatureTitle feature={feature} href={href} />
                </h2>
                <p>{toText(feature["text"])}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="wrap column">
        <Prose page={page} />
      </div>
      <PageModules {...props} />
      {collection !== undefined && !hasModules(collection) && (
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
  const hero = toObject(page.frontmatter["hero"]);
  const image = heroImage(page, toText(hero["image"]));
  const Name = hasOwnTitle(page) ? "p" : "h1";
  return (
    <section class={image === null ? "hero" : "hero has-image"}>
      <div class="wrap">
        <div class="hero-text">
          <Name class="hero-title">{toText(hero["title"]) || page.title}</Name>
          <p class="lede">{toText(hero["text"]) || site.description}</p>
          <Command text={toText(hero["command"])} />
          <Actions actions={hero["actions"]} href={href} />
        </div>
        {image !== null && (
          <Picture {...image} class="hero-image" alt="" sizes={HERO_SIZES} eager />
        )}
      </div>
    </section>
  );
}

/** A wide picture below the hero, and another one for dark colours. */
function Screenshot({ page }: { page: PageView }) {
  const { image, dark, alt, caption } = toObject(page.frontmatter["screenshot"]);
  const light = toText(image);
  if (light === "") return null;
  const rest = { alt: toText(alt), sizes: SCREENSHOT_SIZES };
  const hasDark = toText(dark) !== "";
  return (
    <section class="wrap">
      <figure class={hasDark ? "screenshot has-dark" : "screenshot"}>
        <span class="for-light">
          <Picture {...findFile(page, light)} {...rest} />
        </span>
        {hasDark && (
          <span class="for-dark">
            <Picture {...findFile(page, toText(dark))} {...rest} />
          </span>
        )}
        {toText(caption) !== "" && <figcaption>{toText(caption)}</figcaption>}
      </figure>
    </section>
  );
}

/** The line that installs what the page is about; a click of the copy button copies it. */
function Command({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <div class="prose hero-command">
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

function FeatureTitle({
  feature,
  href,
}: {
  feature: Readonly<Record<string, unknown>>;
  href: TemplateProps["href"];
}) {
  const url = toLink(feature);
  const title = toText(feature["title"]);
  return url === null ? <>{title}</> : <a href={addressIn(href, url)}>{title}</a>;
}

/** Figures, each linked to its source. */
function Numbers({ page, href, t }: TemplateProps & { page: PageView }) {
  const numbers = listOf(page.frontmatter["numbers"]);
  if (numbers.length === 0) return null;
  return (
    <section class="wrap" aria-label={t("landing.numbers", "In numbers")}>
      <ul class="numbers">
        {numbers.map((number) => {
          const url = toLink(number);
          const text = toText(number["text"]);
          return (
            <li key={text}>
              <strong>{toText(number["value"])}</strong>
              <span>{url === null ? text : <a href={addressIn(href, url)}>{text}</a>}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function toLink(value: Readonly<Record<string, unknown>>): string | null {
  const url = toText(value["url"]);
  return /^(?:\/(?!\/)|https?:)/i.test(url) ? url : null;
}

function heroImage(page: PageView, name: string) {
  if (name === "") {
    return page.image === null ? null : { src: page.image, attributes: page.imageAttributes };
  }
  return findFile(page, name);
}

function findFile(page: PageView, name: string) {
  const item = page.media.find((file) => file.name === name);
  return { src: item?.url ?? name, attributes: item?.attributes ?? {} };
}
