/** The XML of responses: elements and their text. Attributes, comments and namespaces are left out. */
export interface XmlElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/** Responses of S3 are three elements deep. */
const MAX_DEPTH = 10;

/** The root element. Entities other than those of XML itself are rejected. @throws for malformed XML. */
export async function parseXml(xml: string): Promise<XmlElement> {
  const { SaxesParser } = await import("saxes");
  const parser = new SaxesParser();
  const root: XmlElement = { name: "", text: "", children: [] };
  const open: XmlElement[] = [root];
  parser.on("opentag", ({ name }) => {
    if (open.length > MAX_DEPTH) throw new Error("the XML is nested too deep");
    const element: XmlElement = { name, text: "", children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

/** The text of the first child with a name. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
