import { Link } from 'react-router'
import type { Dashboard } from '#contract/admin/dashboard.ts'
import { describeTodo } from '#web/admin/dashboard/todo-texts.ts'
import { AlertIcon, CheckIcon, ForwardIcon } from '#web/admin/ui/icons.tsx'

export function TodoList({ todos, todosComplete }: Pick<Dashboard, 'todos' | 'todosComplete'>) {
  return (
    <section className="todos" aria-labelledby="o-que-fazer">
      <h2 id="o-que-fazer">O que fazer agora</h2>
      {todos.length === 0 && todosComplete && (
        <p className="todos-done">
          <CheckIcon size={24} />
          Tudo em dia. Que tal divulgar uma campanha?
        </p>
      )}
      {todos.length > 0 && (
        <ol>
          {todos.map((todo) => {
            const { text, href, icon: Icon } = describeTodo(todo)
            return (
              <li key={text}>
                <Link to={href}>
                  <Icon />
                  <span>{text}</span>
                  <ForwardIcon size={18} />
                </Link>
              </li>
            )
          })}
        </ol>
      )}
      {!todosComplete && (
        <p className="faint">
          <AlertIcon size={18} /> Uma parte não pôde ser lida: pode haver mais a fazer.
        </p>
      )}
    </section>
  )
}
