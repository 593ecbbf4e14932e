// The CPF: check digits that do not fit are pointed out and never refused.
import { useState } from 'react'
import { checkDigitsAreRight } from '#contract/cpf.ts'
import { afterLeaving } from '#web/forms/after-leaving.ts'
import { TextField } from '#web/forms/field.tsx'
import type { Form } from '#web/forms/use-form.ts'

// What is shorter than the rule asks for is the rule's to tell.
const minimum = 11

export function CpfField({ form, label }: { form: Form; label: string }) {
  const [doubtful, setDoubtful] = useState(false)
  return (
    <TextField
      form={form}
      name="cpf"
      label={label}
      hint="Guardado cifrado; serve para confirmar quem é você"
      required
      inputMode="numeric"
      autoComplete="off"
      onInput={() => setDoubtful(false)}
      aria-describedby={doubtful ? 'cpf-duvida' : undefined}
      onBlur={({ currentTarget: { value } }) =>
        afterLeaving(() => setDoubtful(value.trim().length >= minimum && !checkDigitsAreRight(value)))
      }
    >
      <p className="doubt" id="cpf-duvida" role="status">
        {doubtful &&
          'Confira o CPF: os dois últimos dígitos não combinam com os outros. Se estiver certo, pode continuar.'}
      </p>
    </TextField>
  )
}
