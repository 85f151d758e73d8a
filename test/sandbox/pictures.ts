/** The smallest pictures of each type, and forms with them. */
import type { HttpRequest } from "../../src/world/world.ts";
import { inOnePart } from "../world.ts";

const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer).reverse().toString("latin1");
const png = (width: number, height: number) =>
  `\x89PNG\r\n\x1a\n\0\0\0\rIHDR${number(width)}${number(height)}\x08\x06\0\0\0????\0\0\0\0IEND\xaeB\x60\x82`;
const frame = "\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";

/** One character for each byte. */
export const pictures = {
  png: png(1, 1),
  "png-of-70-bytes": png(1, 1).padEnd(70),
  "cut-png": png(1, 1).slice(0, 40),
  "huge-png": png(9500, 9500),
  jpeg: "\xff\xd8\xff\xe0\0\x10JFIF\0\xff\xd9",
  gif: `GIF89a\x01\0\x01\0\0\0\0${frame}\x3b`,
  "animated-gif": `GIF89a\x01\0\x01\0\0\0\0${frame}${frame}\x3b`,
  webp: "RIFF\x0c\0\0\0WEBPVP8 \0\0\0\0",
  tiff: "II*\0\x08\0\0\0",
  text: "no picture",
  nothing: "",
  large: "x".repeat(26 * 1024 * 1024),
  "large-text": "x".repeat(5 * 1024 * 1024 + 1),
};

export interface RecordedFile {
  /** The parameter. */
  part?: string;
  name: string;
  type?: string;
  content: keyof typeof pictures;
}

const boundary = "recorded";

export function multipart(
  form: Record<string, string> | [string, string][],
  files: readonly RecordedFile[],
  headers: HttpRequest["headers"],
): Pick<HttpRequest, "headers" | "upload"> {
  const fields = (Array.isArray(form) ? form : Object.entries(form)).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${Buffer.from(value).toString("latin1")}`,
  );
  const parts = files.map(({ part, name, type, content }, n) =>
    [
      `Content-Disposition: form-data; name="${part ?? `file${n}`}"; filename="${Buffer.from(name).toString("latin1")}"`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      "",
      pictures[content],
    ].join("\r\n"),
  );
  const text = [...fields, ...parts].map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return {
    headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` },
    upload: inOnePart(Buffer.from(`${text}--${boundary}--\r\n`, "latin1")),
  };
}
