// Requests to the server over HTTP, and its refusals.
import { base } from "./base";
import type { Nack, Words } from "../protocol";

/** A request that the server refused, in its own words. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly words: Words,
    readonly detail = "",
  ) {
    super(words.en);
  }
}

const UNREACHABLE: Words = { en: "the server cannot be reached", zh: "无法连接服务器" };

/** The JSON that the server answers. */
export async function request<Answer>(method: string, path: string, body?: unknown, token?: string, signal?: AbortSignal): Promise<Answer> {
  const response = await send(method, path, body, token, signal);
  return (await response.json().catch(() => null)) as Answer;
}

/** The file that the server answers. */
export async function download(method: string, path: string, body?: unknown, token?: string): Promise<Blob> {
  return (await send(method, path, body, token)).blob();
}

/** A successful response. The body is sent as JSON, or as it is if it is a file. */
async function send(method: string, path: string, body?: unknown, token?: string, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  const file = body instanceof Blob;
  if (body !== undefined && !file) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(base + path, { method, headers, ...(signal ? { signal } : {}), ...(body === undefined ? {} : { body: file ? body : JSON.stringify(body) }) });
  } catch {
    throw new Refused("unreachable", UNREACHABLE);
  }
  if (!response.ok) {
    const refusal = ((await response.json().catch(() => null)) ?? {}) as Partial<Nack>;
    throw new Refused(refusal.code ?? String(response.status), refusal.words ?? UNREACHABLE, refusal.detail ?? "");
  }
  return response;
}

const cache = new Map<string, Promise<unknown>>();

/** As `request`, for what does not change while the page is open: it is asked for once. */
export function cached<Answer>(path: string): Promise<Answer> {
  let promise = cache.get(path);
  if (!promise) {
    promise = request<Answer>("GET", path);
    promise.catch(() => cache.delete(path));
    cache.set(path, promise);
  }
  return promise as Promise<Answer>;
}

/** A path of several parts, each escaped. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
