// The real server with one more route: the petition page under unlimited paths, so that the page cache never has it.
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openEngine } from '#server/db/engine.ts'
import { startServer } from '#server/server-process.ts'
import { openBuild, type Renderer } from '#server/ssr/renderer.ts'

const petition = { path: '/peticao', route: '/peticao', params: {} }

// A cache period of zero is not enough: concurrent requests would still share one rendering.
function withUncachedPetition(renderer: Renderer): Renderer {
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
const server = await startServer({
  config,
  log: createLog(config.logLevel),
  engine: await openEngine(config),
  renderer: withUncachedPetition(await openBuild()),
})
process.send?.(server.port)
process.once('disconnect', () => process.exit())
