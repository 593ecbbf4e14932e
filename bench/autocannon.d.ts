// Types for the part of autocannon that the load process uses. The package has no types.
declare module 'autocannon' {
  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
    setupRequest?(request: Request): Request
  }
  interface Client {
    pipelinedRequests: { addBody(data: Buffer): void }
  }
  interface Options {
    url: string
    connections: number
    amount: number
    sampleInt?: number
    requests: Request[]
    setupClient?(client: Client): void
  }
  interface Result {
    '2xx': number
    non2xx: number
    errors: number
  }
  interface Run extends Promise<Result> {
    on(event: 'response', listener: (client: Client, status: number, bytes: number, milliseconds: number) => void): void
  }
  export default function autocannon(options: Options): Run
}
