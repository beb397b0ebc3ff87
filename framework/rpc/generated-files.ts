// RPC: the files that are generated from a registry: the client and the OpenAPI document.
import { clientText, writeClient } from './client/write-client.js';
import type { OpenApiSpec } from './openapi/openapi-spec.js';
import { registryOpenApi } from './openapi/registry-openapi.js';
import type { GenerateClientFileOptions, GenerateClientOptions } from './registry-options.js';
import type { RpcMode } from './rpc-mode.js';
import type { WireTypes } from './types/wire-type.js';

/** The part of an `RpcRegistry` that writes files. */
export abstract class GeneratedFiles {
  abstract get mode(): RpcMode;

  abstract types(): WireTypes;

  /** The typed client as the text of one TypeScript file. @throws Error like `types`. */
  generateClient(options: GenerateClientOptions = {}): string {
    return clientText(this.types(), this.mode, options);
  }

  /**
   * Writes the typed client to this path, relative to the working directory, if its text differs from that of the
   * existing file.
   *
   * @throws Error like `types`, and if the file cannot be written
   */
  async generateClientFile(path: string, options: GenerateClientFileOptions = {}): Promise<void> {
    await writeClient(this.types(), this.mode, path, options);
  }

  /**
   * An OpenAPI document of the procedures: a path for each in REST mode, one path for all of JSON-RPC.
   *
   * @param version the version of the API
   * @param basePath the path in the `servers` entry, after `origin`, which is `http://127.0.0.1:3000` by default
   * @throws Error like `types`
   */
  generateOpenapi(
    title: string,
    version: string,
    basePath: string,
    { origin = 'http://127.0.0.1:3000' }: { origin?: string } = {},
  ): OpenApiSpec {
    return registryOpenApi(this.types(), { title, version, basePath, origin, mode: this.mode });
  }
}
