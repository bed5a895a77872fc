# Small corpora that are the same everywhere.

"Documents of four themes of ten words: counts, words x documents, without empty documents."
function themes(documents; words_each = 30, seed = 1, element = Int32, index = Int)
    state = UInt32(seed)
    draw(n) = (state = state * 0x0019660d + 0x3c6ef35f; Int(state >> 16) % n)
    rows, columns = index[], index[]
    for document in 1:documents
        theme = draw(4)
        for _ in 1:words_each
            chosen = draw(10) < 8 ? theme : draw(4)
            push!(rows, chosen * 10 + min(draw(10), draw(10)) + 1)
            push!(columns, document)
        end
    end
    return sparse(rows, columns, ones(element, length(rows)), 40, documents)
end

words() = ["word$(lpad(i, 2, '0'))" for i in 1:40]

"A fit that is over at once."
quick(X; keywords...) = fit(LDA, X; k = 4, seed = 7, method = :svi, batch_size = 16, max_passes = 4, precision = :double, keywords...)

lambda(model) = parameters(model)["lambda"]
