import { inLanguage } from "#theme";
import type { TemplateProps } from "#theme";
import { Icon } from "./icon.js";

/** Data of the footer. */
export function footerBy({ site, nav, href, t, themeConfig, feeds }: TemplateProps): unknown[] {
  return [site, nav, href, t, themeConfig, feeds];
}

/** Site name, sections and feed. */
export function SiteFooter({ site, nav, href, t, themeConfig, feeds }: TemplateProps) {
  const text = themeConfig["footer"];
  const sections = nav.filter((item) => item.route !== "/");
  return (
    <footer class="site-footer">
      <div class="wrap">
        <div class="about">
          <p class="footer-title">{site.title}</p>
          {site.description !== "" && <p>{site.description}</p>}
          {typeof text === "string" && text !== "" && <p>{text}</p>}
        </div>
        {sections.length > 0 && (
          <nav aria-label={t("nav.footer", "Sections")}>
            <ul>
              {sections.map((item) => (
                <li key={item.route}>
                  <a href={href(item.route)} {...inLanguage(item.lang)}>
                    {item.title}
                  </a>
                </li>
              ))}
              {feeds !== null && (
                <li>
                  <a href={feeds}>
                    <Icon name="feed" /> {t("footer.feed", "Feed")}
                  </a>
                </li>
              )}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  );
}
