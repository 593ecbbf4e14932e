// The real server with one more route: the petition page under endless addresses, so that no answer is ever found in the page cache.
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openEngine } from '#server/db/engine.ts'
import { startNode } from '#server/node.ts'
import { openBuild, type Renderer } from '#server/ssr/renderer.ts'

const petition = { path: '/peticao', route: '/peticao', params: {} }

// A cache period of zero would not do: requests that arrive together still share one rendering.
function withEndlessPetitions(renderer: Renderer): Renderer {
  return {
    ...renderer,
    createPageTable(tools) {
      const table = renderer.createPageTable(tools)
      return {
        ...table,
        routes: [...table.routes, { path: '/peticao/:n', hidden: true }],
        prepare: () => table.prepare(petition),
      }
    },
  }
}

const config = { ...readConfig(), host: '127.0.0.1', port: 0 }
const node = await startNode({
  config,
  log: createLog(config.logLevel),
  engine: await openEngine(config),
  renderer: withEndlessPetitions(await openBuild()),
})
process.send?.(node.port)
process.once('disconnect', () => process.exit())
