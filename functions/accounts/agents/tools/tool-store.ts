import * as v from 'valibot';
import { readAsset } from '#core/platform/http/asset-store.ts';
import { AgentTool } from './tool.ts';

const Tools = v.pipe(v.string(), v.parseJson(), v.array(AgentTool));

/** Returns every operation that is declared as a tool. */
export const readTools = async (): Promise<readonly AgentTool[]> => v.parse(Tools, await readAsset('tools.json'));
