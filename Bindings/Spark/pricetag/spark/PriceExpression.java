package pricetag.spark;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.ObjectType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A call in a query. Spark's {@link Invoke} generates the code that calls {@link PriceFunction}. */
public final class PriceExpression extends Expression implements Serializable {
  private static final long serialVersionUID = 1;
  private static final StructType RESULT =
      new StructType().add("display", DataTypes.StringType).add("error", DataTypes.StringType);

  private final PriceFunction function;
  /** The names of the arguments, such as storefront and amount. */
  private final List<String> names;
  private final Seq<Expression> children;
  private transient Expression call;

  PriceExpression(PriceFunction function, List<String> names, Seq<Expression> children) {
    this.function = function;
    this.names = names;
    this.children = children;
  }

  static <Value> Seq<Value> seq(List<Value> values) {
    return CollectionConverters.asScala(values).toSeq();
  }

  /** Returns an argument as text; null if it is absent. */
  private Expression text(String name) {
    int index = names.indexOf(name);
    if (index < 0) return Literal.create(null, DataTypes.StringType);
    Expression argument = children.apply(index);
    return argument.dataType() instanceof StringType ? argument : cast(argument, DataTypes.StringType);
  }

  private static Expression cast(Expression value, DataType type) {
    return new Cast(value, type, Option.empty(), Cast.apply$default$4());
  }

  private Expression call() {
    if (call == null) {
      Expression amount = children.apply(names.indexOf("amount"));
      boolean isInteger = amount.dataType() instanceof IntegralType;
      if (isInteger) amount = cast(amount, DataTypes.LongType);
      if (amount.dataType() == DataTypes.NullType) amount = text("amount");
      Expression target = Literal.create(function, new ObjectType(PriceFunction.class));
      Expression place = text(names.contains("locale") ? "locale" : "storefront");
      List<Expression> arguments = List.of(place, text("currency"), text("date"), amount);
      call = new Invoke(target, "call", dataType(), seq(arguments), seq(List.of()), false, true, true);
      if (function.isResult && isInteger) {
        call = new Coalesce(seq(List.of(call, Literal.create(new GenericInternalRow(2), RESULT))));
      }
    }
    return call;
  }

  @Override
  public DataType dataType() {
    return function.isResult ? RESULT : DataTypes.StringType;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public boolean foldable() {
    return children.forall(Expression::foldable);
  }

  @Override
  public Object eval(InternalRow row) {
    return call().eval(row);
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return call().genCode(context);
  }

  @Override
  public String prettyName() {
    return function.name;
  }

  @Override
  public String toString() {
    return function.name + children.mkString("(", ", ", ")");
  }

  @Override
  public Seq<Expression> children() {
    return children;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> replaced) {
    return new PriceExpression(function, names, replaced);
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int index) {
    return List.of(function, names, children).get(index);
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof PriceExpression;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof PriceExpression)) return false;
    PriceExpression call = (PriceExpression) other;
    return function.equals(call.function) && names.equals(call.names) && children.equals(call.children);
  }
}
